export type Channel = 'email' | 'phone'

export const CHANNEL_STATUSES = ['PENDING', 'VERIFIED'] as const
export type ChannelStatus = (typeof CHANNEL_STATUSES)[number]
