/** The port to a card issuer, which makes card numbers and answers for them on the card network. */

/**
 * The order of a card, which the issuer knows by the card's id. It has no 3-D Secure password, since that is stored
 * nowhere and a job places the order; an issuer that needs one has to get it within the request.
 */
export type CardOrder = Readonly<{
  cardId: string
  /** Undefined where the platform set no id for the customer. */
  platformCustomerId: string | undefined
  currency: string
  /** The time since the card was requested. */
  elapsedMs: number
}>

export type IssuedCard = Readonly<{
  brand: 'VISA' | 'MASTERCARD'
  number: string
  securityCode: string
  processorRef: string
  issuerRef: string
}>

export type CardReport =
  | Readonly<{ outcome: 'issued'; card: IssuedCard }>
  | Readonly<{ outcome: 'refused' }>
  /** Not decided yet; without a time nobody need ask again. */
  | Readonly<{ outcome: 'waiting'; askAgainAfterMs?: number }>

export type CardIssuer = Readonly<{ provision(order: CardOrder): Promise<CardReport> }>
