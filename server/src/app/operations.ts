import { routes as apiTokens } from '../features/api-tokens/index.ts'
import { routes as platform } from '../features/platform/index.ts'
import { routes as uma } from '../features/uma/index.ts'
import type { Operation } from '../infra/http/operation.ts'

/** Every operation of the API, by feature. */
export const operations: readonly Operation[] = [...platform, ...apiTokens, ...uma]
