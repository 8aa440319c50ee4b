import type { Id } from '../../../kernel/ids.ts'
import type { Columns } from './given.ts'
import { sql, type Sql } from './sql.ts'

type ResourceKey = Readonly<{ platformId: Id<'platform'>; id: string }>

/** Identifies a resource in a map, where resources of one kind come from several platforms. */
export const mapKeyOf = ({ platformId, id }: Readonly<{ platformId: string; id: string }>) =>
  `${platformId} ${id}`

/** Resources of one kind, of any platforms: `given('k', RESOURCE_KEY, keys)` reads as `… k(platform_id, id)`. */
export const RESOURCE_KEY: Columns<ResourceKey> = {
  platform_id: ['uuid', (key) => key.platformId],
  id: ['uuid', (key) => key.id],
}

/** The creation time of an id: its first 48 bits are milliseconds. */
export const timeOfId = (id: Sql): Sql =>
  sql`to_timestamp(('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint / 1000.0)`
