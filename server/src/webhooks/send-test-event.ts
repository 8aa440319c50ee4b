import type { Work } from '../infra/work.ts'
import { emit } from './emit.ts'

/** HOOK-40: tells a newly set endpoint that it is reached; sent once, in the background, whatever comes of it. */
export function sendTestEvent(work: Pick<Work, 'platform' | 'now' | 'outbox'>): void {
  emit(work, 'TEST', {}, { sending: 'ONCE' })
}
