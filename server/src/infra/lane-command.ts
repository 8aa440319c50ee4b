import type { Actor } from '../kernel/actor.ts'
import type { Platform } from '../kernel/platform.ts'
import type { RequestIds } from './request-ids.ts'

/** Who asks, and when: what a Work has, without a transaction of its own. */
export type LaneCaller = RequestIds &
  Readonly<{
    platform: Platform
    actor: Actor
    now: Date
    /** The operation or job that asks, for the audit entry. */
    action: string
  }>

/** A movement of money for the group-commit lane; made by `command` of ledger/lane.ts, which knows the kind. */
export type LaneCommand = Readonly<{ kind: unknown; input: unknown }>
