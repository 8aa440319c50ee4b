import type { Environment } from '../../../kernel/platform.ts'
import type { IncomingFailureReason } from '../../transactions/index.ts'
import type { Asked } from '../../../webhooks/ask-platform.ts'
import type { AskedField } from '../receiver/sandbox-directory.ts'

/** What was told of the receiver, by the names of the fields that were asked for. */
export type ReceiverInfo = Readonly<Record<string, unknown>>

/** What an incoming payment comes to. */
export type Ending =
  | Readonly<{ kind: 'approve'; info: ReceiverInfo }>
  | Readonly<{ kind: 'reject' }>
  | Readonly<{ kind: 'fail'; reason: IncomingFailureReason }>

const failed = (reason: IncomingFailureReason): Ending => ({ kind: 'fail', reason })

/**
 * Section 3: what a platform's answer to the question means; undefined: it will decide by itself, in time. `asked` is
 * undefined where there is nobody to ask: the sandbox takes that as approval (UMA-11).
 */
export function judgeAnswer(
  asked: Asked | undefined,
  environment: Environment,
): Ending | undefined {
  if (!asked) {
    return environment === 'SANDBOX'
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

/** A body that is no such object tells nothing, and approves all the same. */
function infoIn(body: Buffer): ReceiverInfo {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    const { receiverCustomerInfo } = Object(parsed) as { receiverCustomerInfo?: unknown }
    return Object(receiverCustomerInfo ?? {}) as ReceiverInfo
  } catch {
    return {}
  }
}

/** Which of the mandatory fields were not told. */
export function missingFields(
  requested: readonly AskedField[],
  info: ReceiverInfo,
): AskedField['name'][] {
  const isGiven = (name: string): boolean => {
    const value = Object.hasOwn(info, name) ? info[name] : undefined
    return value !== undefined && value !== null && value !== ''
  }
  return requested.flatMap(({ name, mandatory }) => (mandatory && !isGiven(name) ? [name] : []))
}
