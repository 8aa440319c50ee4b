/**
 * Carries money out of the service and pulls it in. An adapter says what it will report of an order by itself, as steps
 * timed from the moment the order was taken; what it reports later, somebody else has to bring.
 */
export type RailOrder = Readonly<{
  kind: 'quote' | 'transfer'
  /** The account that is pulled from first; undefined where the money is here already. */
  pull?: RailAccount | undefined
  /** The account that is paid; undefined where the money stays here. */
  payout?: RailAccount | undefined
}>

export type RailAccount = Readonly<{
  /** What decides a payment in the sandbox; null succeeds. */
  paymentSuffix: string | null
}>

export type Rails<PaymentStep, CollectionStep> = Readonly<{
  pay(order: RailOrder): readonly PaymentStep[]
  /** A transfer-in: money is pulled from an account and stays here. */
  collect(account: RailAccount): readonly CollectionStep[]
}>

/** Reports nothing: the operator moves the money by hand and says so (`florin settlements`). */
export const manualRails: Rails<never, never> = { pay: () => [], collect: () => [] }
