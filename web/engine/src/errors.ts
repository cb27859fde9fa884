/** What went wrong: where, what, and what to change. */
export class SinewError extends Error {
  override readonly name = 'SinewError';
  constructor(
    /** The call, the file or the path of a key. */
    readonly where: string,
    readonly what: string,
    /** What to change; may be empty. */
    readonly remedy: string,
    options?: ErrorOptions,
  ) {
    // As the engine words its own: "where = value: what; remedy" if `what` begins with the value.
    const between = where === '' ? '' : what.startsWith('= ') ? ' ' : ': ';
    super(where + between + what + (remedy === '' ? '' : `; ${remedy}`), options);
  }
}
