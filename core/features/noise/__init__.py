"""Which verdicts flip by themselves when the same is asked again."""
