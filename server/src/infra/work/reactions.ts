import type { InternalEvent, InternalEvents } from './internal-events.ts'
import type { Work } from './work.ts'

export type Reaction<E extends InternalEvent> = (
  work: Work,
  event: InternalEvents[E],
) => Promise<void>

export type Reactions = { readonly [E in InternalEvent]: readonly Reaction<E>[] }
