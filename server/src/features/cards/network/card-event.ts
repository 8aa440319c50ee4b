import type { CARD_EVENT_TYPES } from '../../../providers/http/messages/cards.ts'
import type { Merchant } from '../transaction/card-transaction.ts'
import type { StatedMoney } from './store.ts'

/** One event as a provider sends it (PROV-117). */
export type CardEvent = Readonly<{
  eventId: string
  type: (typeof CARD_EVENT_TYPES)[number]
  networkReference?: string
  cardId?: string
  processorRef?: string
  amount?: StatedMoney
  merchant?: Merchant
  returnId?: string
  final?: boolean
  state?: 'FROZEN' | 'CLOSED'
  at: string
}>
