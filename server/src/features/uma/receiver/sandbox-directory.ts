import type { ErrorCode } from '../../../kernel/errors.ts'
import { magicValues, type MagicPlace, type MagicValue } from '../../../kernel/text/magic-value.ts'
import {
  courseText,
  failedAtOnce,
  PAID_LATE,
  quotePayout,
  type PayoutStep,
} from '../../../providers/rails/sandbox-outcomes.ts'
import type { IncomingFailureReason } from '../../../kernel/failure-reasons.ts'
import type { CounterpartyField } from '../../platform/index.ts'
import { domainToWire, SANDBOX_DOMAIN, sandboxFormOf } from '../providers/domain.ts'
import type { UmaAddress } from './address.ts'

/** A field that one side of a UMA payment requests from the other. */
export type RequestedField = CounterpartyField

/** How an address behaves as a receiver. */
export type SandboxReceiver = Readonly<{
  currency: string
  /** The answer to a look-up in place of the receiver. */
  lookupRefusal?: ErrorCode
  /** The answer to a quote after a successful look-up. */
  quoteRefusal?: ErrorCode
  asksOfPayer: readonly RequestedField[]
  payout: readonly PayoutStep[]
}>

/** How an address behaves as a sender, through /sandbox/uma/receive. */
export type SandboxSender = Readonly<{
  currency: string
  asksOfPayee: readonly RequestedField[]
  /** How long the payment is under review before its platform is asked. */
  approvalAfterSeconds: number
  /** The payment fails at once, and no platform is asked. */
  failure?: IncomingFailureReason
}>

type Entry = Readonly<{ receiver: SandboxReceiver; sender?: SandboxSender }>

const FULL_NAME: RequestedField = { name: 'FULL_NAME', mandatory: true }
const BIRTH_DATE: RequestedField = { name: 'BIRTH_DATE', mandatory: true }

function receiver(currency: string, differing: Partial<SandboxReceiver> = {}): SandboxReceiver {
  return { currency, asksOfPayer: [], payout: quotePayout(undefined), ...differing }
}

function sender(currency: string, differing: Partial<SandboxSender> = {}): SandboxSender {
  return { currency, asksOfPayee: [], approvalAfterSeconds: 0, ...differing }
}

/** By the local part of the address (section 9.4). */
const DIRECTORY: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  ['success.usd', { receiver: receiver('USD'), sender: sender('USD') }],
  ['success.eur', { receiver: receiver('EUR'), sender: sender('EUR') }],
  ['success.mxn', { receiver: receiver('MXN'), sender: sender('MXN') }],
  [
    'pending.long.usd',
    {
      receiver: receiver('USD', { payout: PAID_LATE }),
      sender: sender('USD', { approvalAfterSeconds: 360 }),
    },
  ],
  [
    'fail.compliance.usd',
    {
      receiver: receiver('USD', { payout: failedAtOnce('COMPLIANCE_REJECTED') }),
      sender: sender('USD', { failure: 'COMPLIANCE_REJECTED' }),
    },
  ],
  [
    'needs.payerdata.usd',
    {
      receiver: receiver('USD', { asksOfPayer: [FULL_NAME, BIRTH_DATE] }),
      sender: sender('USD', { asksOfPayee: [FULL_NAME] }),
    },
  ],
  ['fail.version.usd', { receiver: receiver('USD', { lookupRefusal: 'UNSUPPORTED_UMA_VERSION' }) }],
  ['fail.lnurlp.usd', { receiver: receiver('USD', { lookupRefusal: 'LNURLP_REQUEST_FAILED' }) }],
  [
    'fail.pubkey.usd',
    { receiver: receiver('USD', { lookupRefusal: 'COUNTERPARTY_PUBKEY_FETCH_ERROR' }) },
  ],
  ['fail.payreq.usd', { receiver: receiver('USD', { quoteRefusal: 'PAYREQ_REQUEST_FAILED' }) }],
  ['fail.sender.usd', { receiver: receiver('USD', { quoteRefusal: 'SENDER_NOT_ACCEPTED' }) }],
])

const namesOf = (fields: readonly RequestedField[]): string =>
  fields.map(({ name }) => name).join(', ')

function receiverText({ lookupRefusal, quoteRefusal, asksOfPayer, payout }: SandboxReceiver) {
  const refusal = lookupRefusal ?? quoteRefusal
  if (refusal !== undefined) return `refused with ${refusal}`
  const asked = asksOfPayer.length > 0 ? `asks for ${namesOf(asksOfPayer)} of the payer; ` : ''
  return `${asked}${courseText(payout)}`
}

function senderText({ failure, approvalAfterSeconds, asksOfPayee }: SandboxSender): string {
  if (failure !== undefined) return `FAILED: ${failure}`
  const asked = asksOfPayee.length > 0 ? `, and for ${namesOf(asksOfPayee)} of the payee` : ''
  const when = approvalAfterSeconds > 0 ? ` after ${approvalAfterSeconds} s` : ''
  return `asks for approval${asked}${when}`
}

const operationOf = ({ lookupRefusal, quoteRefusal }: SandboxReceiver): string => {
  if (lookupRefusal !== undefined) return 'lookupUma'
  return quoteRefusal === undefined ? 'executeQuote' : 'createQuote'
}

const addressed = (object: string, operation: string): MagicPlace => ({
  object,
  field: 'UMA address',
  match: 'EQUALS',
  operation,
})

const BLOCKED_DOMAIN = `blocked.${SANDBOX_DOMAIN}`

/** With the first of the sandbox's domains in place of the placeholder. */
export const magicAddresses = (sandboxDomains: readonly string[]): readonly MagicValue[] =>
  ADDRESSES.map((entry) => ({ ...entry, value: domainToWire(entry.value, sandboxDomains) }))

const ADDRESSES = [
  ...[...DIRECTORY].flatMap(([local, { receiver: to, sender: from }]) => {
    const address = `$${local}@${SANDBOX_DOMAIN}`
    return [
      ...magicValues(addressed('receiver', operationOf(to)), [[address, to]], receiverText),
      ...(from
        ? magicValues(addressed('sender', 'sandboxReceive'), [[address, from]], senderText)
        : []),
    ]
  }),
  ...magicValues(
    { ...addressed('receiver', 'lookupUma'), match: 'ENDS_WITH' },
    [[`@${BLOCKED_DOMAIN}`, 'COUNTERPARTY_NOT_ALLOWED']],
    (code) => `refused with ${code}`,
  ),
]

type SandboxAddress = Readonly<{ address: UmaAddress; sandboxDomains: readonly string[] }>

/** The domain of the address, with the placeholder in place of any of the sandbox's domains. */
const domainForm = ({ address, sandboxDomains }: SandboxAddress): string =>
  sandboxFormOf(address.domain, sandboxDomains)

const entryOf = (at: SandboxAddress) =>
  domainForm(at) === SANDBOX_DOMAIN ? DIRECTORY.get(at.address.local) : undefined

/** The sandbox answers for its domains and every subdomain (UMA-2). */
export const isSandboxAddress = (at: SandboxAddress): boolean =>
  domainForm(at).endsWith(SANDBOX_DOMAIN)

export type Found<T> = Readonly<{ ok: true; found: T }> | Readonly<{ ok: false; code: ErrorCode }>

/**
 * The receiver behind an address of the sandbox's domains, as a look-up answers it.
 * Refuses: COUNTERPARTY_NOT_ALLOWED below `blocked.`, UMA_NOT_FOUND, and the code that the address stands for.
 */
export function findSandboxReceiver(at: SandboxAddress): Found<SandboxReceiver> {
  if (domainForm(at) === BLOCKED_DOMAIN) {
    return { ok: false, code: 'COUNTERPARTY_NOT_ALLOWED' }
  }
  const found = entryOf(at)?.receiver
  if (!found) return { ok: false, code: 'UMA_NOT_FOUND' }
  return found.lookupRefusal ? { ok: false, code: found.lookupRefusal } : { ok: true, found }
}

/** The sender behind an address. Refuses: UMA_NOT_FOUND, also for addresses that only receive. */
export function findSandboxSender(at: SandboxAddress): Found<SandboxSender> {
  const found = entryOf(at)?.sender
  return found ? { ok: true, found } : { ok: false, code: 'UMA_NOT_FOUND' }
}
