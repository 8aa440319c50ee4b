import type { Actor } from '../../kernel/access/actor.ts'
import type { Keyring } from '../../crypto/seal.ts'
import type { Platform } from '../../kernel/platform.ts'
import type { Ports } from '../../kernel/ports.ts'
import type { Reply } from '../http/reply.ts'
import type { Settings } from '../settings/settings.ts'
import type { RequestIds } from './request-ids.ts'

/** The caller of a command, and the time. */
export type Submitter = RequestIds &
  Readonly<{
    platform: Platform
    actor: Actor
    now: Date
    /** The operation or job, for the audit entry. */
    action: string
  }>

/** The parts of a Work that a command has outside of its transaction. */
export type LaneCaller = Submitter &
  Readonly<{ ports: Ports; settings: Settings; keyring: Keyring }>

/** Input and answer of a lane command, for the types of operations; LaneKind in ledger/lane.ts is the whole. */
export type LaneDecision<Input, Body> = Readonly<{
  name: string
  decide(
    caller: never,
    input: Input,
    loaded: never,
    batch: never,
  ): Readonly<{ reply: Reply<number, Body> }>
}>

/** A movement of money for the group-commit lane. The input is plain data. */
export type LaneCommand = Readonly<{ kind: LaneDecision<unknown, unknown>; input: unknown }>
