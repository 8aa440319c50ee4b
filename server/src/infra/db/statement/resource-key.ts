import type { Id } from '../../../kernel/ids.ts'
import type { Columns } from './given.ts'

type ResourceKey = Readonly<{ platformId: Id<'platform'>; id: string }>

/** Resources of one kind, of any platforms: `given('k', RESOURCE_KEY, keys)` reads as `… k(platform_id, id)`. */
export const RESOURCE_KEY: Columns<ResourceKey> = {
  platform_id: ['uuid', (key) => key.platformId],
  id: ['uuid', (key) => key.id],
}
