import type { Actor } from '../../kernel/access/actor.ts'
import type { Platform } from '../../kernel/platform.ts'
import type { Ports } from '../../kernel/ports.ts'
import type { Keyring } from '../../crypto/seal.ts'
import type { Tx } from '../db/tx.ts'
import type { Log } from '../logging/log.ts'
import type { Outbox } from './outbox.ts'
import type { RequestIds } from './request-ids.ts'
import type { Settings } from '../settings/settings.ts'
import type { InternalEvent, InternalEvents } from './internal-events.ts'

/** One unit of work: one transaction, one caller, one instant, and no way to the network. */
export type Work = RequestIds &
  Readonly<{
    tx: Tx
    actor: Actor
    platform: Platform
    now: Date
    log: Log
    settings: Settings
    /** The providers of this platform. */
    ports: Ports
    keyring: Keyring
    /** Events, jobs and audit entries, written together with the commit. */
    outbox: Outbox
    /** Inside of an `attempt`, which may still be undone. */
    isAttempted?: boolean
    /** Runs the reactions that app/reactions.ts lists, in this transaction. */
    react<E extends InternalEvent>(event: E, details: InternalEvents[E]): Promise<void>
    /** Runs the effect after the commit, and never after a rollback. It must not throw. */
    afterCommit(effect: () => void): void
    /** Wakes the dispatcher after the commit, for events that become due by other means than the outbox. */
    wakeWebhooks(): void
  }>

export type WorkFor = RequestIds &
  Readonly<{
    actor: Actor
    platform: Platform
    /** By default the platform's present time; a job gets the time at which it was due. */
    now?: Date
  }>
