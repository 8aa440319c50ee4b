import type { Static, TSchema } from 'typebox'
import type { Keyring } from '../../crypto/seal.ts'
import type { ErrorCode, FieldError, Refusal } from '../../kernel/errors.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { AgentPermission, Permission } from '../../kernel/permissions.ts'
import type { Platform } from '../../kernel/platform.ts'
import type { Tx } from '../db/tx.ts'
import type { Deps } from '../deps.ts'
import type { KeyedRequest } from '../idempotency.ts'
import type { Advanced } from '../jobs/advance-clock.ts'
import type { LaneCommand } from '../lane-command.ts'
import type { Settings } from '../settings.ts'
import type { Work } from '../work.ts'
import type { Reply } from './reply.ts'
import type { Tag } from './tags.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** Who may call: an API token holding a permission, an agent's bearer token, or anybody. */
export type Needs = Permission | 'AGENT' | 'NOTHING'

type StaticOf<S> = S extends TSchema ? Static<S> : undefined

export type Input<Params, Query, Body> = Readonly<{
  params: StaticOf<Params>
  query: StaticOf<Query>
  body: StaticOf<Body>
  headers: Readonly<Record<string, string | undefined>>
}>

export type Request = Input<TSchema, TSchema, TSchema>

type Replies = Readonly<Record<number, TSchema | null>>
type ReplyOf<R extends Replies> = {
  [S in keyof R & number]: Reply<S, R[S] extends TSchema ? Static<R[S]> : undefined>
}[keyof R & number]

/** What a handler gets: a Work, what the caller sent, already valid, and what the look-up found. */
export type Context<Params, Query, Body, Found = unknown> = Input<Params, Query, Body> &
  Readonly<{ work: Work; found: Found }>

/** What a look-up gets: what the caller sent, and the way outside. */
export type Outside = Readonly<{
  deps: Deps
  platform: Platform
  actor: Actor
  keyed: KeyedRequest | undefined
  /** Whether the key has its answer already: then nobody outside need be asked. Fails: IDEMPOTENCY_KEY_REUSED. */
  isAnswered(): Promise<boolean>
  inWork<T>(body: (work: Work) => Promise<T>): Promise<T>
}>

/**
 * What a command of the lane is made from, beside what the caller sent. `found` is what the look-up found, or throws the
 * refusal that it came to: the command decides when, so that the refusal is stored under its key.
 */
export type LaneContext<Found = unknown> = Readonly<{
  found: () => Found
  platform: Platform
  actor: Actor
  settings: Settings
  keyring: Keyring
}>

/** Whose a request is. */
export type Identity = Readonly<{ actor: Actor; platform: Platform }>

/** An operation whose steps are not one transaction (it waits for the network, or moves the clock). */
export type Procedure<I> = (
  context: I &
    Readonly<{
      deps: Deps
      platform: Platform
      inWork<T>(body: (work: Work) => Promise<T>): Promise<T>
      /**
       * Stores the answer under the key, if there is one, in the transaction of its effect. What fails after that
       * commit takes it back.
       */
      keep(work: Work, reply: Reply): void
      advanceClock(byMs: number): Promise<Advanced>
    }>,
) => Promise<Reply>

export type Operation = Readonly<{
  id: string
  method: Method
  path: string
  tag: Tag
  needs: Needs
  /** Of an agent: what its policy must let it do. */
  agentPermission?: AgentPermission
  /** Without credentials: whose the request is by what its path names; undefined: there is no such thing. */
  identify?: (tx: Tx, params: Readonly<Record<string, string>>) => Promise<Identity | undefined>
  summary: string
  description?: string
  deprecated?: boolean
  /** The path that takes the place of a deprecated one: every answer points there (XFER-1). */
  successor?: string
  params?: TSchema
  query?: TSchema
  headers?: TSchema
  body?: TSchema
  /** What the body is sent as, where it is not JSON. */
  mediaType?: 'multipart/form-data'
  /** Of a form: how large a file may be. */
  fileBytesMax?: number
  /** A call without a body is as good as `{}`. */
  bodyOptional?: boolean
  /** A body that passes validation: shown in the reference, and sent by the contract tests. */
  example?: unknown
  replies: Replies
  /** Codes beyond those every operation may answer; shown in the reference. */
  errors?: readonly ErrorCode[]
  /** Rules that a schema cannot state; reported in one list with the schema's findings. Must bear any input. */
  check?: (
    request: Request,
    caller: Readonly<{ environment: string; platform: Platform; actor: Actor; now: Date }>,
  ) => FieldError[]
  /**
   * Rules about what is stored. They are the handler's to apply, after the idempotency key; here they only complete
   * the list of a request that is refused for its fields anyway. Must bear any input.
   */
  checkStored?: (
    request: Request,
    caller: Pick<Work, 'tx' | 'platform' | 'now' | 'keyring'>,
  ) => Promise<FieldError[]>
  /** A call without an Idempotency-Key is refused. */
  keyRequired?: boolean
  /** An Idempotency-Key is not looked at: every call has an answer of its own, which nobody keeps. */
  keyIgnored?: boolean
  /**
   * Asks the outside before the transaction of the handler begins, which gets what was found; a refusal in here is one
   * of the handler's. Left out where the key has a stored answer. Under one key it may run twice, at once or after a
   * crash: what it does must bear that.
   */
  lookUp?: (context: Request & Outside) => Promise<unknown>
  /** Which answers an Idempotency-Key keeps, where not all of them are final. */
  keeps?: (reply: Reply) => boolean
  /** Makes a stored answer fit for replay, where the first one shows something only once. */
  forReplay?: (body: unknown) => unknown
  /** The answer shows something only once and is of no use without it: it is not kept under the key (CORE-41). */
  showsOnce?: boolean
  /** What the audit entry names, where the answer does not show it as its own id. */
  auditResource?: (body: unknown) => string | undefined
  /** What the audit entry remembers besides who did what. */
  auditNote?: (request: Request) => string | undefined
  /** Stored answers hold a link or code: they are encrypted at rest. */
  sealStoredReply?: boolean
  /** In sandbox, what is due at once is run before the answer leaves, unless the answer says that nothing is. */
  settlesAtOnce?: boolean
  handler?: (context: Context<TSchema, TSchema, TSchema>) => Promise<Reply | Refusal>
  procedure?: Procedure<Request>
  /** A movement of money: the request becomes a command of the group-commit lane, which also keeps its key. */
  lane?: (context: Request & LaneContext) => LaneCommand
}>

/**
 * Declares one operation of the API: its place, its schemas, who may call it, and its handler. The types of what
 * the handler gets and may answer follow from the schemas. How a request runs through it: perform.ts.
 */
export function operation<
  R extends Replies,
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
  F = undefined,
>(
  definition: Omit<
    Operation,
    'params' | 'query' | 'body' | 'replies' | 'lookUp' | 'handler' | 'procedure' | 'lane'
  > & {
    params?: P
    query?: Q
    body?: B
    replies: R
    lookUp?: (context: Input<P, Q, B> & Outside) => Promise<F>
    handler?: (context: Context<P, Q, B, F>) => Promise<ReplyOf<R> | Refusal>
    procedure?: (context: Parameters<Procedure<Input<P, Q, B>>>[0]) => Promise<ReplyOf<R>>
    lane?: (context: Input<P, Q, B> & LaneContext<F>) => LaneCommand
  },
): Operation {
  return definition as unknown as Operation
}
