import type { Deps } from '../../infra/deps.ts'
import { platformTime, type Platform } from '../../kernel/platform.ts'
import { askLightningAddress } from '../../providers/uma/lightning-address.ts'
import { remoteUma } from '../../providers/uma/remote-uma.ts'
import { umaSigningKey } from '../../providers/uma/uma-keys.ts'
import type { SendingProvider, UmaNetwork } from '../../providers/uma/uma-network.ts'
import { readConfig } from '../platform/index.ts'
import { formatUmaAddress, platformAddress } from '../uma/index.ts'
import type { AskRemote } from './describe-receiver.ts'
import type { AskAddress } from './look-up-receiver.ts'
import type { Lookup } from './lookup.ts'
import type { Reading } from './sender.ts'

/** Reads outside of a transaction, since another provider may answer slowly. */
export const readingOf = (deps: Deps, platform: Platform): Reading => ({
  tx: deps.db.read,
  platform,
  now: platformTime(platform, deps.clock.now()),
  keyring: deps.keyring,
  settings: deps.settings,
  ports: deps.providers.portsOf(platform),
})

export const umaNetworkOf = ({ outgoing, clock }: Deps, { environment }: Platform): UmaNetwork =>
  remoteUma(outgoing[environment], clock)

/** The platform as other providers know it: its domain, and the key that the domain publishes. */
export async function sendingProviderOf(deps: Deps, platform: Platform): Promise<SendingProvider> {
  const config = await readConfig({ tx: deps.db.read, platform })
  const signingKey = umaSigningKey(deps.keyring)
  return { domain: config.umaDomain, address: platformAddress(config), signingKey }
}

/** Asks another provider in the platform's name, unless an earlier look-up has stored its answer. */
export function askRemoteFor(deps: Deps, platform: Platform, lookup?: Lookup): AskRemote {
  const network = umaNetworkOf(deps, platform)
  return async (address) => {
    if (lookup?.remoteAnswer) return network.readAnswer(lookup.remoteAnswer)
    return network.lookUp(await sendingProviderOf(deps, platform), formatUmaAddress(address))
  }
}

export function askAddressFor({ outgoing }: Deps, { environment }: Platform): AskAddress {
  return (lightningAddress) => askLightningAddress(outgoing[environment], lightningAddress)
}
