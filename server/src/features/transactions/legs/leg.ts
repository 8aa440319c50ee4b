/** What the operator moves by hand, and then says so. */
const LEGS = ['COLLECTION', 'PULL', 'PAYOUT', 'REFUND'] as const
export type Leg = (typeof LEGS)[number]

/** What an operator may mean by a word on a payment: a leg of it, or that a payout which was made came back. */
export const SETTLED_LEGS = [...LEGS, 'RETURN'] as const
export type SettledLeg = (typeof SETTLED_LEGS)[number]

/** What tells which leg of a payment is next, where one waits. */
type Waiting = Readonly<{
  type: 'INCOMING' | 'OUTGOING'
  status: string
  refundStatus: string | null
  /** The account that it comes from, or whatever it comes from instead. */
  sourceIdentifier: string | null
  /** Whether its money is here already. */
  isTaken: boolean
}>

export const isFromOutside = ({ sourceIdentifier }: Pick<Waiting, 'sourceIdentifier'>): boolean =>
  sourceIdentifier?.startsWith('ExternalAccount:') ?? false

/** A transfer-in is collected; what came from a UMA address is paid out to the receiver's account outside (UMA-10). */
export function legOf(waiting: Waiting): Leg {
  const { type, status, refundStatus, isTaken } = waiting
  if (type === 'INCOMING') return status === 'PROCESSING' ? 'PAYOUT' : 'COLLECTION'
  if (refundStatus === 'PENDING') return 'REFUND'
  return isFromOutside(waiting) && !isTaken ? 'PULL' : 'PAYOUT'
}
