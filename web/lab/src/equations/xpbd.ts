// The steps of the algorithm, as the document has them. vite.config.js turns tex`...` into MathML; \val{name} is a place
// for a value of now.
declare function tex(source: TemplateStringsArray): string;
declare function texInline(source: TemplateStringsArray): string;

export interface Step {
  title: string;
  text: string;
  equations: string[];
  /** With today's values: names of places in `equations`. */
  now: string;
}

export const constraint = tex`C_i(\mathbf x_{1}, \mathbf x_{2}) = \lVert \mathbf x_{1} - \mathbf x_{2} \rVert - d`;

export const xpbdSteps: Step[] = [
  {
    title: 'Time integration',
    text: 'Symplectic Euler predicts positions from gravity alone.',
    equations: [
      tex`\mathbf v^* = \mathbf v(t) + \Delta t\, \mathbf a_\text{ext}(t), \qquad \mathbf x^* = \mathbf x(t) + \Delta t\, \mathbf v^*`,
    ],
    now: texInline`\Delta t = \val{dt}\,\text{s}, \quad \mathbf a_\text{ext} = (0, -9.81, 0)\,\text{m/s}^2`,
  },
  {
    title: 'Loop',
    text: 'Corrections of constraint after constraint, a fixed number of times.',
    equations: [],
    now: texInline`\val{iterations}\ \text{iterations over}\ \val{constraints}\ \text{constraints}`,
  },
  {
    title: 'Multipliers',
    text: 'The multiplier of a constraint is what makes it hold. PBD has no compliance; XPBD counts what has built up.',
    equations: [
      tex`\text{PBD:}\quad \lambda_i = - \frac{C_i(\mathbf x)}{\sum_j \frac{1}{m_j} \lVert \partial C_i / \partial \mathbf x_j \rVert^2}`,
      tex`\text{XPBD:}\quad \Delta\lambda_i = \frac{-C_i(\mathbf x) - \tilde\alpha_i \lambda_i}{\sum_j \frac{1}{m_j} \lVert \partial C_i / \partial \mathbf x_j \rVert^2 + \tilde\alpha_i}`,
      tex`\tilde\alpha_i = \frac{\alpha_i}{\Delta t^2} = \frac{1}{k\, \Delta t^2}`,
    ],
    now: texInline`\tilde\alpha = \val{alpha}, \quad \textstyle\sum_j 1/m_j = \val{weights}\,\text{kg}^{-1}, \quad C_{\max} = \val{stretch}\,\text{m}`,
  },
  {
    title: 'Positions',
    text: 'Along the gradients, which are unit vectors between the two points; light points move more than heavy ones.',
    equations: [
      tex`\frac{\partial C_i}{\partial \mathbf x_1} = \frac{\mathbf x_1 - \mathbf x_2}{\lVert \mathbf x_1 - \mathbf x_2 \rVert} = -\frac{\partial C_i}{\partial \mathbf x_2}`,
      tex`\Delta \mathbf x_j = \frac{1}{m_j} \frac{\partial C_i}{\partial \mathbf x_j} \Delta\lambda_i`,
    ],
    now: texInline`\text{its first correction:}\ \Delta\lambda = \val{lambda}, \quad \lVert\Delta\mathbf x\rVert = \val{move}\,\text{m}`,
  },
  {
    title: 'Velocities',
    text: 'From where the points are to where they were.',
    equations: [
      tex`\mathbf x(t + \Delta t) = \mathbf x^*, \qquad \mathbf v(t + \Delta t) = \frac{\mathbf x(t + \Delta t) - \mathbf x(t)}{\Delta t}`,
    ],
    now: texInline`t = \val{time}\,\text{s}`,
  },
];
