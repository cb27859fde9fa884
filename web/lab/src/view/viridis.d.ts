declare module 'colors:viridis' {
  /** 256 colours, six hexadecimal digits each (vite.config.js). */
  const colors: string;
  export default colors;
}
