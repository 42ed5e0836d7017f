module @jit_angles attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<8xf32> {jax.result_info = "result[0]"}, tensor<8xf32> {jax.result_info = "result[1]"}, tensor<8xf32> {jax.result_info = "result[2]"}, tensor<8xf32> {jax.result_info = "result[3]"}, tensor<8xf32> {jax.result_info = "result[4]"}, tensor<8xf32> {jax.result_info = "result[5]"}, tensor<8xf32> {jax.result_info = "result[6]"}, tensor<8xf32> {jax.result_info = "result[7]"}, tensor<8xf32> {jax.result_info = "result[8]"}, tensor<8xf32> {jax.result_info = "result[9]"}, tensor<8xf32> {jax.result_info = "result[10]"}, tensor<8xf32> {jax.result_info = "result[11]"}, tensor<8xf32> {jax.result_info = "result[12]"}) {
    %cst = stablehlo.constant dense<2.500000e+01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.divide %arg0, %0 : tensor<8xf32>
    %2 = stablehlo.sine %arg0 : tensor<8xf32>
    %3 = stablehlo.cosine %arg0 : tensor<8xf32>
    %4 = stablehlo.tan %arg0 : tensor<8xf32>
    %5 = chlo.asin %1 : tensor<8xf32> -> tensor<8xf32>
    %6 = chlo.acos %1 : tensor<8xf32> -> tensor<8xf32>
    %7 = chlo.atan %arg0 : tensor<8xf32> -> tensor<8xf32>
    %8 = chlo.sinh %1 : tensor<8xf32> -> tensor<8xf32>
    %9 = chlo.cosh %1 : tensor<8xf32> -> tensor<8xf32>
    %10 = stablehlo.tanh %arg0 : tensor<8xf32>
    %11 = chlo.asinh %arg0 : tensor<8xf32> -> tensor<8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %13 = stablehlo.add %arg0, %12 : tensor<8xf32>
    %14 = call @arccosh(%13) : (tensor<8xf32>) -> tensor<8xf32>
    %15 = chlo.atanh %1 : tensor<8xf32> -> tensor<8xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %17 = stablehlo.subtract %16, %arg0 : tensor<8xf32>
    %18 = stablehlo.atan2 %arg0, %17 : tensor<8xf32>
    return %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %14, %15, %18 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
  func.func private @arccosh(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = chlo.acosh %arg0 : tensor<8xf32> -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
