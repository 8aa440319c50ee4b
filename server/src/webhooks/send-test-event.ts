import type { Work } from '../infra/work.ts'
import { emit } from './emit.ts'

/** Emits an event to a newly set endpoint, which is sent once in the background and never repeated (HOOK-40). */
export function sendTestEvent(work: Pick<Work, 'platform' | 'now' | 'outbox'>): void {
  emit(work, 'TEST', {}, { sending: 'ONCE' })
}
