"""Models of the hub that visitors name: what is asked of their files before they are fetched and before anything is built of them."""
