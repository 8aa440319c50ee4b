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
    /** Who answers for each port, for this platform. */
    ports: Ports
    keyring: Keyring
    /** Events, jobs and audit entries, written together with the commit. */
    outbox: Outbox
    /** Inside of an `attempt`, which may still be undone. */
    isAttempted?: boolean
    /** Runs the reactions that app/reactions.ts lists, in this transaction. */
    react<E extends InternalEvent>(event: E, details: InternalEvents[E]): Promise<void>
    /** Runs once the transaction is committed; never when it is not. Must not throw. */
    afterCommit(effect: () => void): void
    /** For what is left to be sent by other means than the outbox: it is looked for as soon as this is committed. */
    wakeWebhooks(): void
  }>

export type WorkFor = RequestIds &
  Readonly<{
    actor: Actor
    platform: Platform
    /** The instant, where it is not the platform's present time: a job sees the time at which it was due. */
    now?: Date
  }>
