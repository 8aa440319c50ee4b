import type { Operation } from '../infra/http/operation.ts'

/** Every operation of the API, by feature. */
export const operations: readonly Operation[] = []
