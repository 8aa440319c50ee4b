/** How a hosted page looks for its platform: the name, the logo and the color (OPER-194). */
import { findBranding, logoPath } from '../../features/platform/index.ts'
import type { Platform } from '../../kernel/platform.ts'
import type { PageHost } from '../page-host.ts'
import { accentsOf } from './brand-colors.ts'

export type Brand = Readonly<{
  name: string
  /** The path of the logo below the address of the service. */
  logo: string | undefined
  /** The style of the color; empty where the platform has none. */
  css: string
}>

export async function findBrand({ deps }: PageHost, platform: Platform): Promise<Brand> {
  const branding = (await findBranding({ tx: deps.db.read, platform })) ?? {}
  const { name = platform.name, logo, color } = branding
  return { name, logo: logo && logoPath(logo), css: color === undefined ? '' : styleOf(color) }
}

/** The color was checked when it was stored; what stands here is computed from its digits. */
function styleOf(color: string): string {
  const { light, dark } = accentsOf(color)
  const rule = ({ accent, onAccent }: typeof light): string =>
    `:root{--accent:${accent};--on-accent:${onAccent}}`
  return `${rule(light)}@media (prefers-color-scheme:dark){${rule(dark)}}`
}
