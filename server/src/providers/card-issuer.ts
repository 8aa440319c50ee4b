/** Whoever makes card numbers and stands for them on the card network. */

/**
 * What is asked for: a card for somebody, known to the issuer by the card's own id. It has no 3-D Secure password: that
 * is kept nowhere, and the order is a job's. An issuer that wants one has to get it while the request is being looked at.
 */
export type CardOrder = Readonly<{
  cardId: string
  /** Undefined where the platform gave its customer no id of its own. */
  platformCustomerId: string | undefined
  currency: string
  /** How long ago the card was asked for. */
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
