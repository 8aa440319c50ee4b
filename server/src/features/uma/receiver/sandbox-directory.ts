import type { ErrorCode } from '../../../kernel/errors.ts'
import { failedAtOnce, PAID_LATE, quotePayout } from '../../transactions/index.ts'
import type { IncomingFailureReason, PayoutStep } from '../../transactions/index.ts'
import type { CounterpartyField } from '../../platform/index.ts'
import { SANDBOX_DOMAIN, sandboxFormOf } from '../providers/domain.ts'
import type { UmaAddress } from './address.ts'

/** A field that one side of a UMA payment asks of the other. */
export type AskedField = CounterpartyField

/** What an address does when it is paid. */
export type SandboxReceiver = Readonly<{
  currency: string
  /** Answered to a look-up in place of the receiver. */
  lookupRefusal?: ErrorCode
  /** Answered to a quote, after a look-up that worked. */
  quoteRefusal?: ErrorCode
  asksOfPayer: readonly AskedField[]
  payout: readonly PayoutStep[]
}>

/** What an address does when it pays, through /sandbox/uma/receive. */
export type SandboxSender = Readonly<{
  currency: string
  asksOfPayee: readonly AskedField[]
  /** The approval question is asked so much later; the payment is under review until then. */
  approvalAfterSeconds: number
  /** Fails at once and is never asked about. */
  failure?: IncomingFailureReason
}>

type Entry = Readonly<{ receiver: SandboxReceiver; sender?: SandboxSender }>

const FULL_NAME: AskedField = { name: 'FULL_NAME', mandatory: true }
const BIRTH_DATE: AskedField = { name: 'BIRTH_DATE', mandatory: true }

function receiver(currency: string, differing: Partial<SandboxReceiver> = {}): SandboxReceiver {
  return { currency, asksOfPayer: [], payout: quotePayout(undefined), ...differing }
}

function sender(currency: string, differing: Partial<SandboxSender> = {}): SandboxSender {
  return { currency, asksOfPayee: [], approvalAfterSeconds: 0, ...differing }
}

/** Section 9.4, by the local part of the address. */
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

type At = Readonly<{ address: UmaAddress; sandboxDomains: readonly string[] }>

/** The address's domain with the placeholder for any of the sandbox's. */
const formOf = ({ address, sandboxDomains }: At): string =>
  sandboxFormOf(address.domain, sandboxDomains)

const entryOf = (at: At) =>
  formOf(at) === SANDBOX_DOMAIN ? DIRECTORY.get(at.address.local) : undefined

/** UMA-2: whether the sandbox answers for an address: its domains and everything below them. */
export const isSandboxAddress = (at: At): boolean => formOf(at).endsWith(SANDBOX_DOMAIN)

export type Found<T> = Readonly<{ ok: true; found: T }> | Readonly<{ ok: false; code: ErrorCode }>

/**
 * The receiver behind an address of the sandbox's domains, as a look-up answers it.
 * Refuses: COUNTERPARTY_NOT_ALLOWED below `blocked.`, UMA_NOT_FOUND, and what the address is made to refuse with.
 */
export function findSandboxReceiver(at: At): Found<SandboxReceiver> {
  if (formOf(at) === `blocked.${SANDBOX_DOMAIN}`) {
    return { ok: false, code: 'COUNTERPARTY_NOT_ALLOWED' }
  }
  const found = entryOf(at)?.receiver
  if (!found) return { ok: false, code: 'UMA_NOT_FOUND' }
  return found.lookupRefusal ? { ok: false, code: found.lookupRefusal } : { ok: true, found }
}

/** The sender behind an address. Refuses: UMA_NOT_FOUND, also for addresses that only receive. */
export function findSandboxSender(at: At): Found<SandboxSender> {
  const found = entryOf(at)?.sender
  return found ? { ok: true, found } : { ok: false, code: 'UMA_NOT_FOUND' }
}
