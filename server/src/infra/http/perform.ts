import type { TSchema } from './schema/type.ts'
import type { Actor } from '../../kernel/access/actor.ts'
import {
  ApiError,
  fail,
  failFields,
  FIELD_ERRORS_MAX,
  refusalToError,
  withHeaders,
  type ErrorHeaders,
  type FieldError,
  type Refusal,
  oncePerField,
} from '../../kernel/errors.ts'
import { platformTime, type Platform } from '../../kernel/platform.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import { sha256 } from '../../crypto/secret-hash.ts'
import { attempt } from '../work/attempt.ts'
import { auditWrite } from '../work/audit.ts'
import type { Deps } from '../deps.ts'
import { inWork, workOn } from '../work/in-work.ts'
import { IDEMPOTENCY_KEY, isStorable, peekKey, type KeyedRequest } from '../work/idempotency.ts'
import type { LaneCommand, Submitter } from '../work/lane-command.ts'
import { newOutbox } from '../work/outbox.ts'
import type { WireBrand } from '../settings/wire-brand.ts'
import type { RequestIds } from '../work/request-ids.ts'
import type { Work } from '../work/work.ts'
import { dropNulls } from './input/absent-nulls.ts'
import { isCheckedWhenUsed } from './schema/checked-when-used.ts'
import { errorReply } from './error-reply.ts'
import { ignoredFieldsHeader, NO_BODY } from './input/ignored-fields.ts'
import {
  takesKey,
  type LaneOperation,
  type Operation,
  type ReadOperation,
  type Request,
  type WriteOperation,
} from './operation.ts'
import { cursorErrors } from './paging.ts'
import type { Reply } from './reply.ts'
import { runProcedure, type ProcedureOptions } from './run-procedure.ts'
import { claim, keep } from './stored-reply.ts'
import { errorNamingMissing, namingMissing } from './edge/name-missing.ts'
import { isLarge, nextTurn } from './edge/turn-after-large.ts'
import { parameterChecker, type UnknownParameters } from './input/unknown-parameters.ts'
import { queryValidator, requestValidator, type Validator } from './schema/validate.ts'

/** A request that has passed authentication, permission and rate limit. */
export type Call = RequestIds &
  Readonly<{
    actor: Actor
    platform: Platform
    /** Path and query as they were sent. */
    url: string
    params: unknown
    query: unknown
    headers: Readonly<Record<string, string | undefined>>
    /** For the fingerprint of an idempotency key. */
    rawBody: Buffer
    body: unknown
    /** Errors in the form of the request, found before validation. */
    earlyErrors?: readonly FieldError[] | undefined
  }>

export type Performer = (call: Call) => Promise<Reply>

export type PerformOptions = ProcedureOptions &
  Readonly<{
    /** The brand on the wire, where it is not the default (CORE-11). */
    brand: WireBrand | undefined
    /** Runs the due jobs of the platform; for operations whose outcome the next read should show. */
    runDue: (platform: Platform) => Promise<void>
    submit: (
      command: LaneCommand,
      submitter: Submitter,
      keyed: KeyedRequest | undefined,
    ) => Promise<Reply>
  }>

const KEY_HEADER = 'idempotency-key'

/**
 * Runs an authenticated request in the order of CORE-32: fields, stored answer of the idempotency key, transaction,
 * handler, commit together with the answer. (Route, authentication, permission, rate limit and body form come before:
 * server.ts.)
 */
export function performerOf(operation: Operation, options: PerformOptions): Performer {
  const validators = validatorsOf(operation, options.brand)
  const perform: Performer = async (call) => {
    try {
      const request = await validRequest(operation, validators, { call, deps: options.deps })
      mustBeServed(operation, options.deps, call)
      const keyed = keyedRequest(operation, call)
      const reply = await run(operation, options, { call, request, keyed })
      const isWorkDue = reply.isWorkDue ?? (operation.settlesAtOnce && reply.status < 300)
      if (isWorkDue && traitsOf(call.platform).isPredictable) await options.runDue(call.platform)
      return namingMissing(call, reply)
    } catch (error) {
      throw errorNamingMissing(call, error)
    }
  }
  const answering = operation.successor ? withSuccessor(perform, operation.successor) : perform
  const { body = NO_BODY } = operation
  return isCheckedWhenUsed(body) ? answering : withIgnoredFields(answering, body)
}

/** Refuses, before anything is written, an operation whose port has no provider (PROV-9). */
function mustBeServed({ requires }: Operation, { providers }: Deps, { platform }: Call): void {
  if (requires && !providers.portsOf(platform).providerOf({ port: requires }))
    fail('NOT_IMPLEMENTED')
}

type Run = Readonly<{ call: Call; request: Request; keyed: KeyedRequest | undefined }>

function run(operation: Operation, options: PerformOptions, it: Run): Promise<Reply> {
  switch (operation.kind) {
    case 'read':
      return runRead(operation, options.deps, it)
    case 'write':
      return runWrite(operation, options.deps, it)
    case 'procedure':
      return runProcedure(operation, options, { ...it, caller: it.call })
    case 'lane':
      return runLane(operation, options, it)
  }
}

/** A read needs no transaction: each statement sees one snapshot, and most reads are one statement. */
async function runRead(
  operation: ReadOperation,
  deps: Deps,
  { call, request }: Run,
): Promise<Reply> {
  const work = workOn(deps, call, { tx: deps.db.read, outbox: newOutbox(), effects: [] })
  return answerOf(await operation.handler({ ...request, body: undefined, work }))
}

/** The lane answers after the commit of the effects and, under a key, of the answer. */
async function runLane(
  operation: LaneOperation,
  { deps, submit }: PerformOptions,
  it: Run,
): Promise<Reply> {
  const { call, request, keyed } = it
  const { platform, actor, requestId, clientRequestId } = call
  const found = await lookUp(operation, deps, it)
  const now = platformTime(platform, deps.clock.now())
  const { settings } = deps
  const input = operation.input({ ...request, platform, actor, settings, found })
  const caller = { platform, actor, requestId, clientRequestId, now, action: operation.id }
  return submit({ kind: operation.command, input }, caller, keyed)
}

async function runWrite(operation: WriteOperation, deps: Deps, it: Run): Promise<Reply> {
  const { call, request, keyed } = it
  const known = operation.lookUp && keyed && (await peek(deps, call, keyed))
  if (known) return known
  const input = { request, found: await lookUp(operation, deps, it) }
  const outcome = await inWork(deps, call, async (work) => {
    const stored = keyed && (await claim(work, keyed))
    if (stored) return stored
    const result = keyed
      ? await handleOrUndo(operation, work, input)
      : await handle(operation, work, input)
    const reply = answerOf(result)
    if (reply.isChange !== false)
      auditWrite(work, {
        action: operation.id,
        reply,
        request,
        resource: reply.status < 300 ? operation.auditResource?.(reply.body) : undefined,
        note: operation.auditNote?.(request),
      })
    if (keyed) keep(operation, work, { keyed, reply })
    return reply
  })
  return outcome.afterwards ? finish(operation, deps, { ...it, reply: outcome }) : outcome
}

/** Replaces the stored answer by the final one. If the process ends meanwhile, the first answer stays under the key. */
async function finish(
  operation: WriteOperation,
  deps: Deps,
  { call, keyed, reply }: Run & Readonly<{ reply: Reply }>,
): Promise<Reply> {
  const final = (await reply.afterwards?.(deps)) ?? reply
  if (keyed)
    await inWork(deps, call, async (work) => keep(operation, work, { keyed, reply: final }))
  return final
}

/** Returns the result of the look-up, or throws its refusal where the handler runs, so that it is stored under the key. */
type Found = () => unknown

async function lookUp(
  operation: LaneOperation | WriteOperation,
  deps: Deps,
  it: Run,
): Promise<Found> {
  if (!operation.lookUp) return () => undefined
  const { call, request, keyed } = it
  try {
    const found = await operation.lookUp({
      ...request,
      deps,
      platform: call.platform,
      actor: call.actor,
      keyed,
      isAnswered: async () => keyed !== undefined && (await peek(deps, call, keyed)) !== undefined,
      inWork: (body) => inWork(deps, call, body),
    })
    return () => found
  } catch (error) {
    return () => {
      throw error
    }
  }
}

const peek = (deps: Deps, { platform }: Call, keyed: KeyedRequest): Promise<Reply | undefined> =>
  peekKey(deps.db.read, keyed, {
    now: platformTime(platform, deps.clock.now()),
    keyring: deps.keyring,
  })

type HandlerInput = Readonly<{ request: Request; found: Found }>

function handle(
  operation: WriteOperation,
  work: Work,
  { request, found }: HandlerInput,
): Promise<Reply | Refusal> {
  return operation.handler({ ...request, work, found: found() })
}

/** Under a key a refusal is stored, too: its effects are rolled back, the key stays claimed. */
async function handleOrUndo(
  operation: WriteOperation,
  work: Work,
  input: HandlerInput,
): Promise<Reply | Refusal> {
  const outcome = await attempt(work, async (inner) => handle(operation, inner, input), isStorable)
  return outcome.ok ? outcome.result : errorReply(outcome.error)
}

const isRefusal = (result: Reply | Refusal): result is Refusal => 'ok' in result

const answerOf = (result: Reply | Refusal): Reply =>
  isRefusal(result) ? errorReply(refusalToError(result)) : result

type Validators = Readonly<{
  parameters: (query: unknown) => UnknownParameters
  query?: Validator
  body?: Validator
}>

function validatorsOf({ query, body }: Operation, brand: WireBrand | undefined): Validators {
  return {
    parameters: parameterChecker(query, brand && ((name) => [brand.spell(name)])),
    ...(query && { query: queryValidator(query) }),
    ...(body && { body: requestValidator(body) }),
  }
}

/** Collects the errors of parameters, body and headers into one answer (CORE-30). */
async function validRequest(
  operation: Operation,
  validators: Validators,
  { call, deps }: { call: Call; deps: Deps },
): Promise<Request> {
  const body = call.body === undefined && operation.bodyOptional ? {} : call.body
  if (!operation.form) dropNulls(body, operation)
  if (isLarge(call.rawBody)) await nextTurn()
  const request: Request = {
    params: call.params,
    query: call.query,
    body: operation.body ? body : undefined,
    headers: call.headers,
  }
  const unknown = validators.parameters(call.query)
  const errors: FieldError[] = [
    ...(call.earlyErrors ?? []),
    ...unknown.errors,
    ...(validators.query?.(call.query) ?? []),
    ...(validators.body?.(body) ?? []),
    ...keyErrors(operation, call),
  ]
  const { suggestions } = unknown
  // The answer lists no more errors, so further checks are skipped.
  if (errors.length > FIELD_ERRORS_MAX) return refuseFields(errors, suggestions)
  const { platform, actor } = call
  const now = platformTime(platform, deps.clock.now())
  const further = operation.check?.(request, { platform, actor, now }) ?? []
  if (errors.length + further.length === 0) return request
  const { keyring, db } = deps
  const stored = await operation.checkStored?.(request, { platform, tx: db.read, now, keyring })
  const ofCursor = isList(operation) ? cursorErrors({ platform, keyring }, call.query) : []
  const all = [...errors, ...further, ...ofCursor, ...(stored ?? [])]
  return refuseFields(all, suggestions)
}

const refuseFields = (
  errors: readonly FieldError[],
  suggestions: UnknownParameters['suggestions'],
): never =>
  failFields(oncePerField(errors), Object.keys(suggestions).length > 0 ? { suggestions } : {})

const isList = ({ query }: Operation): boolean =>
  Object.hasOwn((query as { properties?: object } | undefined)?.properties ?? {}, 'cursor')

function keyErrors(operation: Operation, { headers }: Call): FieldError[] {
  const key = headers[KEY_HEADER]
  const field = 'Idempotency-Key'
  if (key === undefined)
    return operation.key === 'required' ? [{ field, message: 'is required' }] : []
  if (!takesKey(operation) || IDEMPOTENCY_KEY.test(key)) return []
  return [{ field, message: 'must be 1 to 255 printable ASCII characters' }]
}

function keyedRequest(operation: Operation, call: Call): KeyedRequest | undefined {
  const key = call.headers[KEY_HEADER]
  if (key === undefined || !takesKey(operation)) return undefined
  const sent = Buffer.concat([Buffer.from(`${operation.method} ${call.url}\n`), call.rawBody])
  const fingerprint = sha256(sent)
  const scope = call.actor.kind === 'agent' ? `agent:${call.actor.agentId}` : 'platform'
  return { platformId: call.platform.id, scope, key, fingerprint }
}

/** Answers of a deprecated operation name its successor, refusals too. */
function withSuccessor(perform: Performer, path: string): Performer {
  const headers = { Deprecation: 'true', Link: `<${path}>; rel="successor-version"` }
  return (call) => withAllHeaders(() => perform(call), headers)
}

/** In the sandbox also a refusal names the ignored fields, since a mistyped one may be its cause (CORE-8). */
function withIgnoredFields(perform: Performer, body: TSchema): Performer {
  return async (call) => {
    if (!traitsOf(call.platform).hasTestTools) return perform(call)
    const ignored = ignoredFieldsHeader(call.body, body)
    if (isLarge(call.rawBody)) await nextTurn()
    return ignored ? withAllHeaders(() => perform(call), ignored) : perform(call)
  }
}

/** Adds headers to an answer, refusals too. */
async function withAllHeaders(
  perform: () => Promise<Reply>,
  headers: ErrorHeaders,
): Promise<Reply> {
  try {
    const reply = await perform()
    return { ...reply, headers: { ...reply.headers, ...headers } }
  } catch (error) {
    throw error instanceof ApiError ? withHeaders(error, headers) : error
  }
}
