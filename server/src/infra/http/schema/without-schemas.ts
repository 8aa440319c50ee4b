import { InvariantError } from '../../../kernel/invariant.ts'

function refuse(): never {
  throw new InvariantError('Routes have no schemas of Fastify’s.')
}

/** Fastify loads compilers for schemas unless it is given others; ours are checked in `perform.ts`, so it never needs one. */
export const WITHOUT_SCHEMAS = {
  compilersFactory: { buildValidator: refuse, buildSerializer: refuse },
}
