import { Type } from '../../../infra/http/schema/type.ts'
import { HOUSE_PLATFORM_IDS } from '../../../kernel/platform.ts'
import { PRICES_MAX } from '../../../providers/http/messages/pushes.ts'
import type { InboundRoute } from '../../providers/index.ts'
import { takePrices, type Stated } from './take-prices.ts'

const items = Type.Array(Type.Unknown(), { maxItems: PRICES_MAX })

/** Checked so far for a whole message; its items are judged one by one. */
const StatedSchema = Type.Object({ prices: items, networkFees: Type.Optional(items) })

/** Prices that a provider pushes (PROV-131). They belong to no platform. */
export const priceRoute: InboundRoute = {
  path: 'prices',
  body: StatedSchema,
  itemLists: ['prices', 'networkFees'],
  take: async (inbound, body) => {
    const { provider } = inbound
    const house = HOUSE_PLATFORM_IDS[provider.environment]
    const results = await inbound.inPlatform(house, (work) =>
      takePrices(work, provider, body as Stated),
    )
    return { results }
  },
}
