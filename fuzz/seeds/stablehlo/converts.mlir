module @jit_converts attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9xf32>, %arg1: tensor<5xi32>) -> (tensor<9xi8> {jax.result_info = "result[0]"}, tensor<9xui8> {jax.result_info = "result[1]"}, tensor<9xi64> {jax.result_info = "result[2]"}, tensor<9xi1> {jax.result_info = "result[3]"}, tensor<9xf16> {jax.result_info = "result[4]"}, tensor<5xui8> {jax.result_info = "result[5]"}, tensor<5xf64> {jax.result_info = "result[6]"}, tensor<5xi1> {jax.result_info = "result[7]"}, tensor<9xf32> {jax.result_info = "result[8]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<9xf32>) -> tensor<9xi8>
    %1 = stablehlo.convert %arg0 : (tensor<9xf32>) -> tensor<9xui8>
    %2 = stablehlo.convert %arg0 : (tensor<9xf32>) -> tensor<9xi64>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %4 = stablehlo.compare NE, %arg0, %3, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %5 = stablehlo.convert %4 : tensor<9xi1>
    %6 = stablehlo.convert %arg0 : (tensor<9xf32>) -> tensor<9xf16>
    %7 = stablehlo.convert %arg1 : (tensor<5xi32>) -> tensor<5xui8>
    %8 = stablehlo.convert %arg1 : (tensor<5xi32>) -> tensor<5xf64>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %10 = stablehlo.compare NE, %arg1, %9, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %11 = stablehlo.convert %10 : tensor<5xi1>
    %12 = stablehlo.convert %arg0 : (tensor<9xf32>) -> tensor<9xbf16>
    %13 = stablehlo.convert %12 : (tensor<9xbf16>) -> tensor<9xf32>
    return %0, %1, %2, %5, %6, %7, %8, %11, %13 : tensor<9xi8>, tensor<9xui8>, tensor<9xi64>, tensor<9xi1>, tensor<9xf16>, tensor<5xui8>, tensor<5xf64>, tensor<5xi1>, tensor<9xf32>
  }
}
