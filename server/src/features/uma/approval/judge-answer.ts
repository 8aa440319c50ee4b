import type { Environment } from '../../../kernel/platform.ts'
import type { IncomingFailureReason } from '../../../kernel/failure-reasons.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import type { Asked } from '../../../webhooks/delivery/ask-platform.ts'
import { saysSomething } from '../receiver/says-something.ts'
import type { RequestedField } from '../receiver/sandbox-directory.ts'

/** Data about the receiver, by the names of the requested fields. */
export type ReceiverInfo = Readonly<Record<string, unknown>>

/** How an incoming payment ends. */
export type Ending =
  | Readonly<{ kind: 'approve'; info: ReceiverInfo }>
  | Readonly<{ kind: 'reject' }>
  | Readonly<{ kind: 'fail'; reason: IncomingFailureReason }>

const failed = (reason: IncomingFailureReason): Ending => ({ kind: 'fail', reason })

/**
 * The meaning of a platform's answer (section 3); undefined where the platform decides later by a call. Without an
 * endpoint `asked` is undefined, which the sandbox takes as approval (UMA-11).
 */
export function judgeAnswer(
  asked: Asked | undefined,
  environment: Environment,
): Ending | undefined {
  if (!asked) {
    return traitsOf({ environment }).decidesByItself
      ? { kind: 'approve', info: {} }
      : failed('PAYMENT_APPROVAL_WEBHOOK_ERROR')
  }
  const { answer } = asked
  if (!answer.ok) {
    return failed(
      answer.kind === 'timeout' ? 'PAYMENT_APPROVAL_TIMED_OUT' : 'PAYMENT_APPROVAL_WEBHOOK_ERROR',
    )
  }
  switch (answer.status) {
    case 200:
      return { kind: 'approve', info: infoIn(answer.body) }
    case 202:
      return undefined
    case 403:
      return { kind: 'reject' }
    case 422:
      return failed('MISSING_MANDATORY_PAYEE_DATA')
    default:
      return failed('PAYMENT_APPROVAL_WEBHOOK_ERROR')
  }
}

/** An unreadable body approves without data about the receiver. */
function infoIn(body: Buffer): ReceiverInfo {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    const { receiverCustomerInfo } = Object(parsed) as { receiverCustomerInfo?: unknown }
    return Object(receiverCustomerInfo ?? {}) as ReceiverInfo
  } catch {
    return {}
  }
}

/** The mandatory fields without a value. */
export function missingFields(
  requested: readonly RequestedField[],
  info: ReceiverInfo,
): RequestedField['name'][] {
  const isGiven = (name: string): boolean => Object.hasOwn(info, name) && saysSomething(info[name])
  return requested.flatMap(({ name, mandatory }) => (mandatory && !isGiven(name) ? [name] : []))
}
