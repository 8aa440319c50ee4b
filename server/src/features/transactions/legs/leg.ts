/** The parts of a payment that are settled outside. */
const LEGS = ['COLLECTION', 'PULL', 'PAYOUT', 'REFUND'] as const
export type Leg = (typeof LEGS)[number]

/** What an operator may settle: a leg, or the return of a payout that was made. */
export const SETTLED_LEGS = [...LEGS, 'RETURN'] as const
export type SettledLeg = (typeof SETTLED_LEGS)[number]

/** What decides which leg of a payment is next. */
type Waiting = Readonly<{
  type: 'INCOMING' | 'OUTGOING'
  status: string
  refundStatus: string | null
  /** The id of the account or the UMA address that pays. */
  sourceIdentifier: string | null
  /** Whether the money has arrived already. */
  isTaken: boolean
}>

export const isFromOutside = ({ sourceIdentifier }: Pick<Waiting, 'sourceIdentifier'>): boolean =>
  sourceIdentifier?.startsWith('ExternalAccount:') ?? false

/** A transfer-in is collected; a payment from a UMA address is paid out to the receiver's external account (UMA-10). */
export function legOf(waiting: Waiting): Leg {
  const { type, status, refundStatus, isTaken } = waiting
  if (type === 'INCOMING') return status === 'PROCESSING' ? 'PAYOUT' : 'COLLECTION'
  if (refundStatus === 'PENDING') return 'REFUND'
  return isFromOutside(waiting) && !isTaken ? 'PULL' : 'PAYOUT'
}
