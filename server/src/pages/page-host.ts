import type { PageActor } from '../kernel/access/actor.ts'
import type { Deps } from '../infra/deps.ts'
import type { Platform } from '../kernel/platform.ts'
import type { RequestIds } from '../infra/work/request-ids.ts'
import type { Work } from '../infra/work/work.ts'

export type PageVisit = RequestIds &
  Readonly<{
    platform: Platform
    /** The page, and the resource it was opened for. */
    actor: PageActor
  }>

/** The context of a hosted page. Only the host opens transactions. */
export type PageHost = Readonly<{
  deps: Deps
  inWork<T>(visit: PageVisit, body: (work: Work) => Promise<T>): Promise<T>
}>
