import type { Reactions } from '../infra/reactions.ts'

/** What happens when… : every internal event with who reacts to it, in order, in the same transaction. */
export const reactions: Reactions = {
  'balances.changed': [],
  'platform.currenciesAdded': [],
}
