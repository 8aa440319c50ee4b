import type { KycLinkResponse } from '../../../../sdk/src/index.ts'
import { client, expectStatus, type Api, type HasId, type Shown } from '../api.ts'
import type { Kit, TestPlatform } from '../florin.ts'

export type KycLink = Readonly<{
  /** The page, with its query, at the address of the kit. */
  url: string
  /** What lies below the page; whatever credentials are sent along, nobody looks at them. */
  api: Api
  answer: Shown<KycLinkResponse>
}>

/** A link to the hosted flow of a customer. */
export async function createKycLink(
  kit: Pick<Kit, 'baseUrl'>,
  { api }: Pick<TestPlatform, 'api'>,
  { id }: HasId,
  body?: unknown,
): Promise<KycLink> {
  const answer = expectStatus(await api.post(`/customers/${id}/kyc-link`, body), 201)
  const { pathname, search } = new URL(answer.kycUrl)
  const page = `${new URL(kit.baseUrl).origin}${pathname}`
  const nobody = { clientId: 'nobody', clientSecret: 'nothing' }
  return { url: `${page}${search}`, api: client(page, nobody), answer }
}
