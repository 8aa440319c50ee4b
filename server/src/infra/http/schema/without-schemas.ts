import { InvariantError } from '../../../kernel/invariant.ts'

function refuse(): never {
  throw new InvariantError('Routes have no schemas of Fastify’s.')
}

/** Keeps Fastify from loading its schema compilers, which are not needed because perform.ts validates. */
export const WITHOUT_SCHEMAS = {
  compilersFactory: { buildValidator: refuse, buildSerializer: refuse },
}
