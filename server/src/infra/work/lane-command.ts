import type { Actor } from '../../kernel/access/actor.ts'
import type { Keyring } from '../../crypto/seal.ts'
import type { Platform } from '../../kernel/platform.ts'
import type { Ports } from '../../kernel/ports.ts'
import type { Reply } from '../http/reply.ts'
import type { Settings } from '../settings/settings.ts'
import type { RequestIds } from './request-ids.ts'

/** Who submits a command, and when. */
export type Submitter = RequestIds &
  Readonly<{
    platform: Platform
    actor: Actor
    now: Date
    /** The operation or job that asks, for the audit entry. */
    action: string
  }>

/** What a Work has, without a transaction of its own. */
export type LaneCaller = Submitter &
  Readonly<{ ports: Ports; settings: Settings; keyring: Keyring }>

/** What a command of the group-commit lane takes and answers; ledger/lane.ts has the rest of its kind. */
export type LaneDecision<Input, Body> = Readonly<{
  name: string
  decide(
    caller: never,
    input: Input,
    loaded: never,
    batch: never,
  ): Readonly<{ reply: Reply<number, Body> }>
}>

/** A movement of money for the group-commit lane. The input is plain data; what else it needs comes with the caller. */
export type LaneCommand = Readonly<{ kind: LaneDecision<unknown, unknown>; input: unknown }>
