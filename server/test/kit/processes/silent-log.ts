import { createLog } from '../../../src/infra/logging/log.ts'

export const silentLog = createLog({ logLevel: 'silent' })
