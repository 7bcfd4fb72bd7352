declare module '*/generated/pliant.mjs' {
  export default function create(options: object): Promise<unknown>;
}
