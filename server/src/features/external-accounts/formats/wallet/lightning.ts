import { bech32 } from '@scure/base'
import { decode } from 'light-bolt11-decoder'
import { hasNamedFormat } from '../named-format.ts'
import { BECH32_CHARACTERS } from './bech32-text.ts'

export type Bolt11Invoice = Readonly<{
  isMainnet: boolean
  /** Absent on an invoice that leaves the amount to the payer. */
  amountMillisatoshi?: bigint
  expiresAt: Date
}>

type Section = Readonly<{ name: string; value?: unknown }>

/** BOLT 11: an invoice without an expiry field lives an hour. */
const DEFAULT_EXPIRY_SECONDS = 3600
const CHECKSUM_LENGTH = 6
const CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/** The decoded invoice; undefined if it does not decode. */
export function decodeBolt11(invoice: string): Bolt11Invoice | undefined {
  if (!/^ln(bc|tb)/.test(invoice)) return undefined
  try {
    const sections: readonly Section[] = decode(invoice).sections
    const valueOf = (name: string): unknown =>
      sections.find((section) => section.name === name)?.value
    if (typeof valueOf('payment_hash') !== 'string') return undefined
    const lifetimeSeconds = (valueOf('expiry') as number | undefined) ?? DEFAULT_EXPIRY_SECONDS
    const amount = valueOf('amount') as string | undefined
    return {
      isMainnet: (valueOf('coin_network') as { bech32: string }).bech32 === 'bc',
      ...(amount !== undefined && { amountMillisatoshi: BigInt(amount) }),
      expiresAt: new Date(((valueOf('timestamp') as number) + lifetimeSeconds) * 1000),
    }
  } catch {
    // The decoder throws on anything that is not an invoice.
    return undefined
  }
}

/** A sandbox suffix replaces the checksum, which is restored before decoding (chapter 30, section 8). */
export function decodeBolt11WithSuffix(invoice: string): Bolt11Invoice | undefined {
  const body = invoice.slice(0, -CHECKSUM_LENGTH)
  const separator = body.lastIndexOf('1')
  const words = [...body.slice(separator + 1)].map((character) => CHARACTERS.indexOf(character))
  if (separator < 1 || words.includes(-1)) return undefined
  return decodeBolt11(bech32.encode(body.slice(0, separator), words, false))
}

const MILLISATOSHI_PER_SATOSHI = 1000n

/** The exact amount to pay, rounded up to the satoshi; undefined leaves it to the payer (EACC-18). */
export function invoiceAmountSatoshi(invoice: string): bigint | undefined {
  const decoded = decodeBolt11(invoice) ?? decodeBolt11WithSuffix(invoice)
  const amount = decoded?.amountMillisatoshi
  return amount === undefined
    ? undefined
    : (amount + MILLISATOSHI_PER_SATOSHI - 1n) / MILLISATOSHI_PER_SATOSHI
}

/** Strict: an invoice of the main network that can still be paid. */
export function isPayableInvoice(invoice: string, now: Date): boolean {
  const decoded = decodeBolt11(invoice)
  return decoded !== undefined && decoded.isMainnet && decoded.expiresAt > now
}

/** Form: an offer starts with `lno1`. */
export function hasBolt12Form(text: string): boolean {
  return /^lno1\S+$/.test(text)
}

/** Strict: nothing but bech32 characters follows; BOLT 12 texts carry no checksum. */
export function isBolt12Offer(text: string): boolean {
  return new RegExp(`^lno1${BECH32_CHARACTERS}+$`).test(text)
}

/** The longest e-mail address. */
const LENGTH_MAX = 254

/** The form of an e-mail address; a leading `$` makes it a UMA address, which is no Lightning account. */
export function isLightningAddress(text: string): boolean {
  return text.length <= LENGTH_MAX && !text.startsWith('$') && hasNamedFormat('email', text)
}
