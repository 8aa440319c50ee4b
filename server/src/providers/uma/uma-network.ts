/** A currency of a receiver at another provider, with its decimals here; amounts in smallest units. */
export type RemoteCurrency = Readonly<{
  currency: string
  min: bigint
  max: bigint
  /** Thousandths of a satoshi that its provider asks for one smallest unit, as a decimal. */
  millisatsPerUnit: string
}>

/** A receiver at another provider, as that provider describes it. */
export type RemoteReceiver = Readonly<{
  /** In the receiver's order of preference. */
  currencies: readonly RemoteCurrency[]
  /** The payer data that the provider asks for, by our field names where there is one. */
  asks: readonly Readonly<{ name: string; mandatory: boolean }>[]
  /** The answer itself, which a pay request refers to. */
  answer: unknown
}>

/** The platform that sends, as other providers know it; `address` is its own, where it pays for itself. */
export type SendingProvider = Readonly<{ domain: string; address: string; signingKey: Buffer }>

export type RemotePayRequest = Readonly<{
  sender: SendingProvider
  receiverAddress: string
  /** The answer of the look-up. */
  answer: unknown
  payerAddress: string
  isPayerVerified: boolean
  /** By our field names. */
  payerData: Readonly<Record<string, unknown>>
  /** The amount for the receiver. */
  amount: bigint
  currency: string
  /** The maximum price of that amount, at the receiver's rate. */
  millisatsMax: bigint
}>

/** The Lightning invoice that settles a payment, and until when it can be paid. */
export type RemoteInvoice = Readonly<{ invoice: string; expiresAt: Date }>

/** Other providers, over the UMA protocol. Fails: the codes of UMA-8. */
export type UmaNetwork = Readonly<{
  lookUp(sender: SendingProvider, receiverAddress: string): Promise<RemoteReceiver>
  /** Parses the stored answer of an earlier look-up. */
  readAnswer(answer: unknown): Promise<RemoteReceiver>
  requestInvoice(request: RemotePayRequest): Promise<RemoteInvoice>
}>
