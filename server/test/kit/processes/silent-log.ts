import { createLog } from '../../../src/infra/log.ts'

export const silentLog = createLog({ logLevel: 'silent' })
