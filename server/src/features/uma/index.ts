export { findSandboxReceiver, findSandboxSender, isSandboxAddress } from './sandbox-directory.ts'
export type { AskedField, SandboxReceiver, SandboxSender } from './sandbox-directory.ts'
export { formatUmaAddress, mustParseUmaAddress, parseUmaAddress } from './uma-address.ts'
export type { UmaAddress } from './uma-address.ts'
