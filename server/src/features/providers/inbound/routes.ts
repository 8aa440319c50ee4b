/** What providers send, as routes that app/ puts together; the gate in front of all of them is receive.ts. */
import { Type, type Static, type TSchema } from '../../../infra/http/schema/type.ts'
import {
  errorToBody,
  mustHaveNoErrors,
  refusalToError,
  refuse,
  type ApiError,
  type ErrorDetails,
  type FieldError,
} from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { RegisteredProvider } from '../../../kernel/ports.ts'
import { isUnavailable } from '../../../infra/db/connection/unavailable.ts'
import { toApiError } from '../../../infra/db/statement/constraints.ts'
import type { Deps } from '../../../infra/deps.ts'
import { requestValidator } from '../../../infra/http/schema/validate.ts'
import type { RequestIds } from '../../../infra/work/request-ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { InboundPath } from './paths.ts'

/** A message that has passed the gate. */
export type Inbound = RequestIds &
  Readonly<{
    deps: Deps
    provider: RegisteredProvider
    message: Readonly<{ messageId: string; bodyDigest: Buffer }>
    /** Real time, at which the message came. */
    receivedAt: Date
    /** One transaction in a platform of the provider's environment, by the actor `provider:<name>`. Fails: REFERENCE_NOT_FOUND. */
    inPlatform<T>(platformId: Id<'platform'>, body: (work: Work) => Promise<T>): Promise<T>
  }>

export type InboundRoute = Readonly<{
  path: InboundPath
  /** The schema of the whole body. */
  body: TSchema
  /** The lists of the body whose items are judged one by one, so that a wrong item does not refuse the body (PROV-28). */
  itemLists?: readonly string[]
  /** Not counted by the limit of calls (PROV-30). */
  isUnlimited?: boolean
  /** The orders that a body names: their provider may speak of them though it has lost the port (PROV-8). */
  orderIdsIn?(body: unknown): readonly string[]
  /** Recognises repetitions itself, in the transaction of its effect (PROV-24). */
  isOnceByItself?: boolean
  /** Answers the body of the 200; a refusal of the whole message is thrown. */
  take(inbound: Inbound, body: unknown): Promise<unknown>
}>

/** What refuses a whole body: no problem of an item that has a result of its own. */
export function bodyProblems(
  { body, itemLists = [] }: Pick<InboundRoute, 'body' | 'itemLists'>,
  value: unknown,
): FieldError[] {
  const isOfItem = (field: string) => itemLists.some((list) => field.startsWith(`${list}.`))
  return requestValidator(body)(value).filter(({ field }) => !isOfItem(field))
}

/** What became of one item of a batch (PROV-28). */
export type ItemResult = Readonly<{
  result: 'APPLIED' | 'DUPLICATE' | 'WAITING' | 'EXCEPTION' | 'REJECTED'
  exceptionId?: string
  code?: string
  message?: string
  details?: ErrorDetails
  depositStatus?: string
  reason?: string
  transactionId?: string
}>

const BATCH_MAX = 100

type BatchRoute<S extends TSchema> = Readonly<{
  path: InboundPath
  /** The member of the body that holds the items. */
  list: string
  item: S
  /** Takes one item in a transaction of its own; what it throws rejects this item alone. */
  take(inbound: Inbound, item: Static<S>): Promise<ItemResult>
}>

/** A message of 1 to 100 items, each with its own fate, in order (PROV-28). */
export function batchRoute<S extends TSchema>(route: BatchRoute<S>): InboundRoute {
  const { path, list } = route
  const items = Type.Array(Type.Unknown(), { minItems: 1, maxItems: BATCH_MAX })
  return {
    path,
    body: Type.Object({ [list]: items }),
    itemLists: [list],
    async take(inbound, body) {
      const results: ItemResult[] = []
      let failure: Error | undefined
      for (const one of (body as Record<string, readonly unknown[]>)[list] ?? []) {
        const outcome = await takeItem(() => takeValid<S>(inbound, route, one))
        if ('failure' in outcome) failure = outcome.failure
        else results.push(outcome)
      }
      // The provider repeats the whole message; what was applied is a duplicate by then.
      if (failure) throw failure
      return { results }
    },
  }
}

async function takeValid<S extends TSchema>(
  inbound: Inbound,
  { item, take }: BatchRoute<S>,
  one: unknown,
): Promise<ItemResult> {
  mustHaveNoErrors(requestValidator(item)(one))
  return take(inbound, one as Static<S>)
}

/** A refusal is the item's result. A bug does not stop the items after it; an unavailable database stops all. */
async function takeItem(
  take: () => Promise<ItemResult>,
): Promise<ItemResult | Readonly<{ failure: Error }>> {
  try {
    return await take()
  } catch (error) {
    if (isUnavailable(error)) throw error
    const refusal = toApiError(error)
    return refusal.status >= 500 ? { failure: error as Error } : rejectedBy(refusal)
  }
}

function rejectedBy(refusal: ApiError): ItemResult {
  const { status: _, ...rest } = errorToBody(refusal)
  return { result: 'REJECTED', ...rest }
}

/** The result of an item with invalid fields. */
export const rejectFields = (errors: readonly FieldError[]): ItemResult =>
  rejectedBy(refusalToError(refuse('INVALID_INPUT', { errors })))
