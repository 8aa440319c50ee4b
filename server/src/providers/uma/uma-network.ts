/** A currency that a receiver elsewhere takes, with the decimals it has here; amounts in its smallest units. */
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
  /** What the provider asks to know of the payer, by our names where there is one. */
  asks: readonly Readonly<{ name: string; mandatory: boolean }>[]
  /** The answer itself, which a pay request refers to. */
  answer: unknown
}>

/** The platform that sends, as other providers know it; `address` is its own, where it pays for itself. */
export type SendingProvider = Readonly<{ domain: string; address: string; signingKey: Buffer }>

export type RemotePayRequest = Readonly<{
  sender: SendingProvider
  receiverAddress: string
  /** What the look-up was answered. */
  answer: unknown
  payerAddress: string
  isPayerVerified: boolean
  /** By our names of the fields. */
  payerData: Readonly<Record<string, unknown>>
  /** What the receiver is to get. */
  amount: bigint
  currency: string
  /** What that may cost at most, at the receiver's own rate. */
  millisatsMax: bigint
}>

/** Other providers, over the UMA protocol. Fails: the codes of UMA-8. */
export type UmaNetwork = Readonly<{
  lookUp(sender: SendingProvider, receiverAddress: string): Promise<RemoteReceiver>
  /** What an earlier look-up was answered, read again. */
  readAnswer(answer: unknown): Promise<RemoteReceiver>
  /** The Lightning invoice that settles the payment. */
  requestInvoice(request: RemotePayRequest): Promise<string>
}>
