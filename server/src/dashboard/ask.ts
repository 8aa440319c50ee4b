/** How the dashboard does anything: by the operator's commands, as the command line calls them. */
import { ApiError } from '../kernel/errors.ts'
import { invariant } from '../kernel/invariant.ts'
import type { Deps } from '../infra/deps.ts'
import { toApiError } from '../infra/db/statement/constraints.ts'
import { SIGN_IN_AGAIN } from '../operator/access/must-be-allowed.ts'
import { answerOf } from '../operator/answer.ts'
import { UsageError, type Command } from '../operator/command.ts'
import { inputFor, type Call } from '../operator/command-line/command-line.ts'
import { canBeKeyed, submitOnce, type Sent } from '../operator/http/submit-once.ts'

/** One row of an answer, or an answer: JSON as `--json` prints it. */
export type Row = Readonly<Record<string, unknown>>

/** Runs a command that reads as the operator who is signed in, and answers the JSON value that it would print. */
export type Ask = <T>(command: Command<T>, call?: Call) => Promise<T>

/** The same for any command: a proposal may be made instead (OPER-23). Under the key of a form it is run once. */
export type Submit = <T>(command: Command<T>, call?: Call, formKey?: string) => Promise<Sent<T>>

export const submitAs =
  (deps: Deps): Submit =>
  (command, call = {}, formKey = '') =>
    formKey !== '' && canBeKeyed(command)
      ? submitOnce(deps, command, { call, formKey })
      : answerOf(deps, command, () => inputFor(command, call))

export const askAs =
  (deps: Deps): Ask =>
  async (command, call) => {
    const answered = await submitAs(deps)(command, call)
    invariant(!answered.proposal, 'What reads needs no second operator.')
    return answered.answer
  }

/** Why something was not done, in words. */
export type Refused = Readonly<{ status: number; says: readonly string[] }>

/** A sign-in that is too old for this (OPER-36). */
export const isToSignInAgain = (error: unknown): boolean =>
  error instanceof ApiError && error.details?.['reason'] === SIGN_IN_AGAIN

/** A refusal in words; whatever else went wrong is thrown on. */
export function refusalOf(error: unknown): Refused {
  if (error instanceof UsageError) return { status: 400, says: [plainly(error.message)] }
  const { status, code, message, details } = toApiError(error as Error)
  if (code === 'INTERNAL_ERROR' || isToSignInAgain(error)) throw error
  const fields = (details?.['errors'] ?? []) as readonly { field: string; message: string }[]
  if (fields.length > 0) {
    return { status, says: fields.map(({ field, message: said }) => `${placeOf(field)} ${said}.`) }
  }
  return { status, says: [`${message}${reasonIn(details)}`] }
}

/** `errors.0.field` is the field of the first error, for people. */
const placeOf = (field: string): string =>
  field.replace(/^errors\.(\d+)\.?/, (_, index: string) => `Error ${Number(index) + 1}: `)

/** What of a refusal's details helps to see why. */
const SHOWN_DETAILS: Readonly<Record<string, string>> = {
  from: 'from',
  reason: 'reason',
  proposalStatus: 'it is',
  proposalId: 'open already:',
  proposedBy: 'proposed by',
  requiredRole: 'needs',
  providerId: 'because of',
  openOrders: 'still open:',
}

function reasonIn(details: ApiError['details']): string {
  const shown = Object.entries(SHOWN_DETAILS).flatMap(([name, label]) => {
    const value = details?.[name]
    return typeof value === 'string' || typeof value === 'number' ? [`${label} ${value}`] : []
  })
  return shown.length > 0 ? ` (${shown.join(', ')})` : ''
}

/** Options of a command are fields here. */
const plainly = (message: string): string =>
  message.replace(/^Missing: /, 'This has to be filled in: ').replaceAll('--', '')
