import type { Static, TSchema } from './schema/type.ts'
import type { ErrorBody, ErrorCode, FieldError, Refusal } from '../../kernel/errors.ts'
import type { Actor } from '../../kernel/access/actor.ts'
import type { AgentPermission, Permission } from '../../kernel/access/permissions.ts'
import type { Platform } from '../../kernel/platform.ts'
import type { Port } from '../../kernel/ports.ts'
import type { Tx } from '../db/tx.ts'
import type { Deps } from '../deps.ts'
import type { KeyedRequest } from '../work/idempotency.ts'
import type { Advanced } from '../jobs/advance-clock.ts'
import type { LaneDecision } from '../work/lane-command.ts'
import type { Settings } from '../settings/settings.ts'
import type { Work } from '../work/work.ts'
import type { Reply } from './reply.ts'
import type { Tag } from './schema/tags.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** The required credentials: an API token with a permission, an agent's bearer token, or none. */
export type Needs = Permission | 'AGENT' | 'NOTHING'

/** A schema, where there is one. */
type Shape = TSchema | undefined
type StaticOf<S> = S extends TSchema ? Static<S> : undefined

type Input<P, Q, B> = Readonly<{
  params: StaticOf<P>
  query: StaticOf<Q>
  body: StaticOf<B>
  headers: Readonly<Record<string, string | undefined>>
}>

export type Request = Input<Shape, Shape, Shape>

/** A request whose query and body are not validated. */
type Unchecked<P> = Omit<Request, 'params'> & Readonly<{ params: StaticOf<P> }>

type Replies = Readonly<Record<number, TSchema | null>>
type ReplyOf<R extends Replies> = {
  [S in keyof R & number]: Reply<S, StaticOf<R[S]>>
}[keyof R & number]
type BodyOf<R extends Replies> = StaticOf<R[keyof R & number]>

/** The input of a look-up beside the request. */
export type Outside = Readonly<{
  deps: Deps
  platform: Platform
  actor: Actor
  keyed: KeyedRequest | undefined
  /** Whether the key has an answer already, so that no call outside is needed. Fails: IDEMPOTENCY_KEY_REUSED. */
  isAnswered(): Promise<boolean>
  inWork<T>(body: (work: Work) => Promise<T>): Promise<T>
}>

/**
 * The input of a lane command beside the request. `found` returns the result of the look-up or throws its refusal: the
 * command decides when, so that the refusal is stored under its key.
 */
export type LaneContext<Found = unknown> = Readonly<{
  found: () => Found
  platform: Platform
  actor: Actor
  settings: Settings
}>

/** The caller of a request. */
export type Identity = Readonly<{ actor: Actor; platform: Platform }>

/** The input of a procedure beside the request. */
export type ProcedureContext = Readonly<{
  deps: Deps
  platform: Platform
  inWork<T>(body: (work: Work) => Promise<T>): Promise<T>
  /**
   * Stores the answer under the key, if there is one, in the transaction of its effect. A failure after that commit
   * deletes it.
   */
  keep(work: Work, reply: Reply): void
  advanceClock(byMs: number): Promise<Advanced>
}>

type Described<P, Q, R> = Readonly<{
  id: string
  path: string
  tag: Tag
  needs: Needs
  /** For agents: the permission that the policy must grant. */
  agentPermission?: AgentPermission
  /** The port without whose provider the operation is not offered (PROV-9). */
  requires?: Port
  summary: string
  description?: string
  /** The path that replaces this deprecated operation; every answer links to it (XFER-1). */
  successor?: string
  params?: P
  query?: Q
  replies: R
  /** Codes beyond those every operation may answer; shown in the reference. */
  errors?: readonly ErrorCode[]
  /**
   * Rules that a schema cannot state; reported in one list with the schema's findings. Accepts unvalidated input;
   * never throws.
   */
  check?(
    request: Unchecked<P>,
    caller: Readonly<{ platform: Platform; actor: Actor; now: Date }>,
  ): FieldError[]
}>

type Sent<B = Shape> = Readonly<{
  headers?: TSchema
  body?: B
  /** A call without a body counts as `{}`. */
  bodyOptional?: boolean
  /** A body that passes validation: shown in the reference, and sent by the contract tests. */
  example?: unknown
}>

/** How an answer is kept under an Idempotency-Key. */
export type Keeping<R extends Replies = Replies> = Readonly<{
  /** Whether an answer is kept; without it, every answer. */
  keeps?(reply: Reply): boolean
  /** The body for a replay, where the first answer shows something only once. */
  forReplay?(body: BodyOf<R>): unknown
  /** The answer shows something only once and is useless without it, so it is not kept (CORE-41). */
  showsOnce?: boolean
  /** Stored answers have a link or code, so they are sealed. */
  sealStoredReply?: boolean
}>

/** Fields that only a write has. */
type Writing<P = Shape, Q = Shape, B = Shape, R extends Replies = Replies> = Readonly<{
  /** Without credentials: the caller by the resource in the path; undefined where there is no such resource. */
  identify?(tx: Tx, params: Readonly<Record<string, string>>): Promise<Identity | undefined>
  /** The body is a multipart form, whose files may be this large. */
  form?: Readonly<{ fileBytesMax: number }>
  /**
   * Rules about stored data. The handler applies them after the idempotency key; here they only complete the list of
   * errors of a request that is refused anyway. Accepts unvalidated input; never throws.
   */
  checkStored?(
    request: Unchecked<P>,
    caller: Pick<Work, 'tx' | 'platform' | 'now' | 'keyring'>,
  ): Promise<FieldError[]>
  /** Required: a call without an Idempotency-Key is refused. Ignored: each call has its own answer, which is not kept. */
  key?: 'required' | 'ignored'
  /** The resource of the audit entry, where the answer has no `id` of it. */
  auditResource?(body: BodyOf<R>): string | undefined
  /** The note of the audit entry. */
  auditNote?(request: Input<P, Q, B>): string | undefined
  /** In sandbox, due jobs run before the answer is sent, unless the answer states that none is due. */
  settlesAtOnce?: boolean
}>

type LookUp<P, Q, B, F> = Readonly<{
  /**
   * Calls the outside before the transaction of the handler, which gets the result; a refusal is stored like one of the
   * handler. Not called where the key has a stored answer. Under one key it may run twice, concurrently or after a crash,
   * and must have its effect once.
   */
  lookUp?(context: Input<P, Q, B> & Outside): Promise<F>
}>

type Answer<R extends Replies> = Promise<ReplyOf<R> | Refusal>

type Read<P = Shape, Q = Shape, R extends Replies = Replies> = Described<P, Q, R> &
  Readonly<{
    handler(context: Input<P, Q, undefined> & Readonly<{ work: Work }>): Answer<R>
  }>

type Write<P = Shape, Q = Shape, B = Shape, R extends Replies = Replies, F = unknown> = Described<
  P,
  Q,
  R
> &
  Sent<B> &
  Keeping<R> &
  Writing<P, Q, B, R> &
  LookUp<P, Q, B, F> &
  Readonly<{
    method: Exclude<Method, 'GET'>
    handler(context: Input<P, Q, B> & Readonly<{ work: Work; found: F }>): Answer<R>
  }>

type Procedure<P = Shape, Q = Shape, B = Shape, R extends Replies = Replies> = Described<P, Q, R> &
  Sent<B> &
  Keeping<R> &
  Readonly<{
    method: Method
    /** Its success is a stream of server-sent events. */
    isStream?: boolean
    handler(context: Input<P, Q, B> & ProcedureContext): Promise<ReplyOf<R>>
  }>

type Lane<
  P = Shape,
  Q = Shape,
  B = Shape,
  R extends Replies = Replies,
  F = unknown,
  I = unknown,
> = Described<P, Q, R> &
  Sent<B> &
  LookUp<P, Q, B, F> &
  Readonly<{
    command: LaneDecision<I, BodyOf<R> | ErrorBody>
    /** The input of the command. */
    input(context: Input<P, Q, B> & LaneContext<F>): NoInfer<I>
  }>

/** Fields of other kinds, which this kind cannot have. */
type Absent<T> = { readonly [K in keyof T]?: undefined }

export type ReadOperation = Read &
  Absent<Sent & Writing> &
  Readonly<{ kind: 'read'; method: 'GET' }>
export type WriteOperation = Write & Readonly<{ kind: 'write' }>
export type ProcedureOperation = Procedure & Absent<Writing> & Readonly<{ kind: 'procedure' }>
export type LaneOperation = Lane & Absent<Writing> & Readonly<{ kind: 'lane'; method: 'POST' }>

/**
 * One operation of the API: path, schemas, permission and handler. The constructors below derive the types of a handler's
 * input and answers from the schemas. perform.ts runs a request.
 */
export type Operation = ReadOperation | WriteOperation | ProcedureOperation | LaneOperation

/** Reads, without a transaction. */
export const read = <R extends Replies, P extends Shape = undefined, Q extends Shape = undefined>(
  definition: Read<P, Q, R>,
): Operation => ({ ...definition, kind: 'read', method: 'GET' })

/** Takes effect in one transaction. */
export const write = <
  R extends Replies,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
  F = undefined,
>(
  definition: Write<P, Q, B, R, F>,
): Operation => ({ ...definition, kind: 'write' })

/** Has several transactions: it waits for the network, or moves the clock. */
export const procedure = <
  R extends Replies,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
>(
  definition: Procedure<P, Q, B, R>,
): Operation => ({ ...definition, kind: 'procedure' })

/** Moves money: the request becomes the input of a command of the group-commit lane, which also keeps its key. */
export const lane = <
  R extends Replies,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
  F = undefined,
  I = unknown,
>(
  definition: Lane<P, Q, B, R, F, I>,
): Operation => ({ ...definition, kind: 'lane', method: 'POST' })

export const isStream = (operation: Operation): boolean =>
  operation.kind === 'procedure' && operation.isStream === true

/** Whether the operation uses an Idempotency-Key. */
export const takesKey = ({ method, key }: Operation): boolean =>
  method !== 'GET' && key !== 'ignored'
