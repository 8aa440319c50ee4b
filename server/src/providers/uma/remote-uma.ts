/**
 * Other providers over the UMA protocol, on the guarded connection (CORE-94). The protocol's library is loaded at the
 * first payment to another provider.
 */
import type {
  CounterPartyDataOptions,
  Currency,
  LnurlpResponse,
  NonceValidator,
  PubKeyResponse,
} from '@uma-sdk/core'
import { decode } from 'light-bolt11-decoder'
import { SECOND_MS, type Clock } from '../../kernel/clock.ts'
import { findCurrency } from '../../kernel/money/currency.ts'
import { ApiError, fail, type ErrorCode } from '../../kernel/errors.ts'
import { AMOUNT_MAX } from '../../kernel/money/money.ts'
import { amountToWire } from '../../kernel/money/wire-money.ts'
import type { GuardedFetch } from '../../infra/outbound/ssrf.ts'
import { fetchCounterpartyKeys } from './counterparty-keys.ts'
import { getText, objectIn, type TextAnswer } from './get-text.ts'
import { askedFields, toUmaNames } from './payer-field-names.ts'
import { createSeenNonces } from './seen-nonces.ts'
import type {
  RemoteCurrency,
  RemoteInvoice,
  RemotePayRequest,
  RemoteReceiver,
  SendingProvider,
  UmaNetwork,
} from './uma-network.ts'

const loadProtocol = () => import('@uma-sdk/core')
type Protocol = Awaited<ReturnType<typeof loadProtocol>>
type UmaAnswer = LnurlpResponse &
  Readonly<{ umaVersion: string; currencies: Currency[]; payerData: CounterPartyDataOptions }>

type Outside = Readonly<{ outgoing: GuardedFetch; clock: Clock; nonces: NonceValidator }>

const noncesOf = new WeakMap<GuardedFetch, NonceValidator>()

export function remoteUma(outgoing: GuardedFetch, clock: Clock): UmaNetwork {
  const nonces = noncesOf.get(outgoing) ?? createSeenNonces(clock)
  noncesOf.set(outgoing, nonces)
  const outside = { outgoing, clock, nonces }
  return {
    lookUp: (sender, receiverAddress) => lookUp(outside, sender, receiverAddress),
    readAnswer: async (answer) => readAnswer(await loadProtocol(), JSON.stringify(answer)),
    requestInvoice: (request) => requestInvoice(outside, request),
  }
}

const domainOf = (address: string): string => address.slice(address.indexOf('@') + 1)

async function keysOf({ outgoing, clock }: Outside, address: string): Promise<PubKeyResponse> {
  return fetchCounterpartyKeys(outgoing, { domain: domainOf(address), now: clock.now() })
}

async function lookUp(
  outside: Outside,
  sender: SendingProvider,
  receiverAddress: string,
): Promise<RemoteReceiver> {
  const protocol = await loadProtocol()
  const text = await askForReceiver(outside, protocol, { sender, receiverAddress })
  const answer = parseAnswer(protocol, text)
  const keys = await keysOf(outside, receiverAddress)
  await mustBeSigned(() => protocol.verifyUmaLnurlpResponseSignature(answer, keys, outside.nonces))
  return describe(answer, JSON.parse(text))
}

type Question = Readonly<{ sender: SendingProvider; receiverAddress: string }>

/** A provider that does not support our version names its own, and is asked in one that both support (UMA-8). */
async function askForReceiver(
  { outgoing }: Outside,
  protocol: Protocol,
  { sender, receiverAddress }: Question,
): Promise<string> {
  const ask = async (umaVersionOverride?: string): Promise<TextAnswer> => {
    const url = await protocol.getSignedLnurlpRequestUrl({
      isSubjectToTravelRule: true,
      receiverAddress,
      senderVaspDomain: sender.domain,
      signingPrivateKey: sender.signingKey,
      umaVersionOverride,
    })
    return getText(outgoing, { method: 'GET', url: url.href })
  }
  const first = await ask()
  const answer = first.status === 412 ? await ask(commonVersion(protocol, first)) : first
  if (answer.status === 404) return fail('UMA_NOT_FOUND')
  if (answer.status === 412) return fail('NO_COMPATIBLE_UMA_VERSION')
  return answer.status === 200 ? answer.text : fail('LNURLP_REQUEST_FAILED')
}

function commonVersion(protocol: Protocol, { text }: TextAnswer): string {
  const { supportedMajorVersions: theirs } = objectIn(text)
  try {
    return protocol.selectHighestSupportedVersion(Array.isArray(theirs) ? theirs : [])
  } catch {
    return fail('NO_COMPATIBLE_UMA_VERSION')
  }
}

/** Fails: PARSE_LNURLP_RESPONSE_ERROR, MISSING_REQUIRED_UMA_PARAMETERS, UNSUPPORTED_UMA_VERSION. */
function parseAnswer(protocol: Protocol, text: string): UmaAnswer {
  const answer = parsed(() => protocol.LnurlpResponse.fromJson(text), 'PARSE_LNURLP_RESPONSE_ERROR')
  if (!answer.isUma()) return fail('MISSING_REQUIRED_UMA_PARAMETERS')
  return protocol.isVersionSupported(answer.umaVersion) ? answer : fail('UNSUPPORTED_UMA_VERSION')
}

function parsed<T>(parse: () => T, otherwise: ErrorCode): T {
  try {
    return parse()
  } catch {
    return fail(otherwise)
  }
}

const readAnswer = (protocol: Protocol, text: string): RemoteReceiver =>
  describe(parseAnswer(protocol, text), JSON.parse(text))

function describe({ currencies, payerData }: UmaAnswer, answer: unknown): RemoteReceiver {
  return {
    currencies: currencies.flatMap(toRemoteCurrency),
    asks: askedFields(payerData),
    answer,
  }
}

/**
 * Numbers are capped at the largest amount; a currency without a valid range or price is not offered, nor is one that is
 * unknown here or has another smallest unit, since an amount would mean another sum there.
 */
function toRemoteCurrency(offered: Currency): RemoteCurrency[] {
  const { code: currency, multiplier } = offered
  if (findCurrency(currency)?.decimals !== offered.decimals) return []
  const largest = amountToWire(AMOUNT_MAX)
  const min = Math.max(1, Math.ceil(offered.minSendable))
  const max = Math.min(largest, Math.floor(offered.maxSendable))
  const isPriced = multiplier > 0 && multiplier <= MULTIPLIER_MAX
  if (!isPriced || !(min <= max)) return []
  return [{ currency, min: BigInt(min), max: BigInt(max), millisatsPerUnit: decimalOf(multiplier) }]
}

/** More thousandths of a satoshi than there will ever be; beyond 1e21 a number is not written out. */
const MULTIPLIER_MAX = 1e19

/** Written out, as no number is that a price is made of: 12 decimals are a trillionth of a thousandth of a satoshi. */
const decimalOf = (value: number): string => value.toFixed(12)

/** A wrong signature is treated like a replayed message (UMA-8). */
async function mustBeSigned(verify: () => Promise<boolean>): Promise<void> {
  try {
    if (await verify()) return
  } catch (error) {
    if (error instanceof ApiError) throw error
  }
  fail('INVALID_NONCE')
}

async function requestInvoice(outside: Outside, request: RemotePayRequest): Promise<RemoteInvoice> {
  const protocol = await loadProtocol()
  const answer = parseAnswer(protocol, JSON.stringify(request.answer))
  const keys = await keysOf(outside, request.receiverAddress)
  const { payerAddress, receiverAddress } = request
  const payRequest = await protocol.getPayRequest({
    receiverEncryptionPubKey: keys.getEncryptionPubKey(),
    sendingVaspPrivateKey: request.sender.signingKey,
    receivingCurrencyCode: request.currency,
    isAmountInReceivingCurrency: true,
    amount: amountToWire(request.amount),
    payerIdentifier: payerAddress,
    payerKycStatus: request.isPayerVerified
      ? protocol.KycStatus.Verified
      : protocol.KycStatus.NotVerified,
    payerData: toUmaNames(request.payerData) as never,
    umaMajorVersion: protocol.getMajorVersion(answer.umaVersion),
  })
  const body = payRequest.toJsonString()
  const paid = await getText(outside.outgoing, { method: 'POST', url: answer.callback, body })
  const response = parsePayResponse(protocol, paid)
  await mustBeSigned(() =>
    protocol.verifyPayReqResponseSignature(
      response,
      payerAddress,
      receiverAddress,
      keys,
      outside.nonces,
    ),
  )
  const { converted, pr } = response
  const isAsAsked =
    converted?.currencyCode === request.currency &&
    (converted.amount === undefined || converted.amount === amountToWire(request.amount))
  const terms = isAsAsked ? invoiceTerms(pr) : undefined
  const isPayable =
    terms && terms.millisats <= request.millisatsMax && terms.expiresAt > outside.clock.now()
  return isPayable ? { invoice: pr, expiresAt: terms.expiresAt } : fail('INVALID_PAYREQ_RESPONSE')
}

/** BOLT 11: an invoice without an expiry field lives an hour. */
const DEFAULT_EXPIRY_SECONDS = 3_600

/** Undefined for what is no invoice, or leaves the amount to the payer. */
function invoiceTerms(invoice: string): { millisats: bigint; expiresAt: Date } | undefined {
  try {
    const sections: readonly Readonly<{ name: string; value?: unknown }>[] =
      decode(invoice).sections
    const valueOf = (name: string): unknown => sections.find((one) => one.name === name)?.value
    const [amount, madeAt] = [valueOf('amount'), valueOf('timestamp')]
    if (typeof amount !== 'string' || typeof madeAt !== 'number') return undefined
    const lifetime = Number(valueOf('expiry') ?? DEFAULT_EXPIRY_SECONDS)
    return { millisats: BigInt(amount), expiresAt: new Date((madeAt + lifetime) * SECOND_MS) }
  } catch {
    return undefined
  }
}

/** Fails: SENDER_NOT_ACCEPTED, PAYREQ_REQUEST_FAILED, PARSE_PAYREQ_RESPONSE_ERROR, INVALID_PAYREQ_RESPONSE. */
function parsePayResponse(protocol: Protocol, { status, text }: TextAnswer) {
  const { code } = objectIn(text)
  if (status === 403 || code === 'SENDER_NOT_ACCEPTED') return fail('SENDER_NOT_ACCEPTED')
  if (status !== 200) return fail('PAYREQ_REQUEST_FAILED')
  const response = parsed(
    () => protocol.PayReqResponse.fromJson(text),
    'PARSE_PAYREQ_RESPONSE_ERROR',
  )
  return response.isUma() ? response : fail('INVALID_PAYREQ_RESPONSE')
}
