/** What a device needs that signs for an embedded wallet; needs no client secret and runs in browsers and apps. */
export { oidcNonce, openExport, openSessionKey, sealOtp } from './wallet/bundles.ts'
export { createDeviceKey, deviceKeyOf, type DeviceKey } from './wallet/device-key.ts'
export { WalletBundleError } from './wallet/signed-bundle.ts'
export { stamp, stampWith } from './wallet/stamp.ts'
