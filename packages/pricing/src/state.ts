// What the pricing part of a fold remembers. Opaque to protocols: they carry it and hand it back.

/** Made by `Pricing.empty` or `Pricing.load`, changed in place by `Pricing.apply`. */
export interface PricingState {
  readonly brand: 'pricing'
}
