import { dropCallers, type Callers } from '../infra/callers.ts'
import type { Reactions } from '../infra/reactions.ts'

/** What happens when… : every internal event with who reacts to it, in order, in the same transaction. */
export const createReactions = ({ callers }: { callers: Pick<Callers, 'forget'> }): Reactions => ({
  'balances.changed': [],
  'platform.currenciesAdded': [],
  'customers.created': [],
  'customers.currenciesAdded': [],
  'customers.currenciesRemoved': [],
  'customers.contactChanged': [],
  'customers.deleting': [],
  'token.deleted': [dropCallers(callers)],
})
